"""Names in English."""
# ruff: noqa: E501 - a template is one line

from .table import name_words

ADV = r"(?:(?:also|now|still|currently|once|really|already|first|just|never|always|both|recently) )?"
BE = "(?:is|was|are|were)"

WORDS = name_words(
    titles="mr mrs ms miss dr prof professor doctor sir madam uncle aunt auntie grandma grandpa captain judge president pastor coach lord lady saint king queen prince princess",
    kin="""sister sisters sis=sister, brother brothers bro=brother, mother mom mum=mother, father dad=father,
        son sons=son, daughter daughters=daughter, wife=wife, husband=husband, partner=partner, spouse=spouse,
        fiancee fiance=fiance, girlfriend=girlfriend, boyfriend=boyfriend, cousin cousins=cousin, aunt=aunt,
        uncle=uncle, niece=niece, nephew=nephew, grandmother grandma=grandmother, grandfather grandpa=grandfather,
        grandson=grandson, granddaughter=granddaughter, friend friends=friend, neighbour neighbor=neighbour,
        colleague colleagues coworker=colleague, boss manager=boss, teacher=teacher, mentor=mentor,
        roommate flatmate=roommate, dog=dog, cat=cat, pet=pet, daughter-in-law=daughter-in-law,
        mother-in-law=mother-in-law, father-in-law=father-in-law, twin=twin, landlord=landlord, therapist=therapist""",
    person_verbs="""says said thinks thought told tells asked works worked lives lived loves loved likes
        liked wants wanted called calls met knows knew married moved plays played studies studied teaches
        taught wrote writes born helped invited visited founded created speaks recommended suggested
        promised hates prefers joined bought""",
    before_person="""with, met, meet, told, tell, asked, ask, called, call, named, love, thank, thanks, hi, hello, hey, dear, invited, visit, married, by, miss, saw, phoned, hired, helped, talk to, talked to, spoke to, speak to, wrote to, said to, listen to, spoke with, son of, daughter of, friend of""",
    before_place="""in, to, from, near, via, visit, visited, visiting, leave, left, reached, around, through, toward,
        towards, outside, across, moved to, live in, lives in, lived in, born in, travel to, flew to, trip to""",
    before_organisation="""works at, work at, worked at, works for, work for, worked for, working at, working for, job at,
        joined, join, at, employed by, employed at, intern at, internship at, studies at, studied at, study at,
        hired by, founded, company, startup, band, team, club, studying at, left, interview at""",
    before_product="""my new, a new, the new, bought a, bought an, buy a, buy an, my old, use, uses, using, installed, play,
        playing, drives a, drive a, rides a, bought the, sold my, ordered a, switched to, got a new""",
    organisation_words="""inc ltd llc corp corporation company gmbh plc group university college school academy
        institute bank foundation ministry hospital clinic museum orchestra association society agency department
        council church studio studios labs airlines press times club fc united union committee party holdings
        partners ventures systems technologies software bakery restaurant cafe bookshop library""",
    place_words="""street avenue road lane square lake river mount mountain mountains island islands park airport
        beach bay valley bridge county city town village district coast canyon forest falls hill hills station
        harbour harbor desert sea ocean castle cathedral tower palace""",
    joiners="of the, of, de la, de, del, van der, van, von, da, di, al, bin, le, la, du, &",
    articles="the a an my your his her our their this that these those some any every each no",
    not_names="""i i'm i've i'll i'd ok okay tv pc ai id faq asap lol omg btw fyi diy ceo cto cfo hr pm am usb pdf url
        mondays tuesdays wednesdays thursdays fridays saturdays sundays
        monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
        september october november december christmas easter halloween thanksgiving english french german spanish
        italian portuguese russian chinese japanese korean american british european african asian indian irish
        scottish dutch polish turkish arabic mexican brazilian greek swedish canadian australian latin christian
        muslim jewish catholic buddhist god mom mum dad mama papa grandma grandpa dear hi hello hey thanks thank
        happy merry new good great nice best congratulations congrats sorry please yes no maybe sure well oh wow
        haha today tomorrow yesterday tonight morning afternoon evening spring summer autumn winter met visited saw
        love loved called told asked heard bought got found tried finished started moved went ran made took gave
        remember reminder note todo question answer update everyone everybody someone nobody people guys friends
        user assistant human system bot most last next every each honestly actually recently lately finally
        unfortunately fortunately obviously basically apparently meanwhile speaking welcome enjoy check call send
        read buy book watch visit ask tell meet see look try think feel hope wish need want like use let keep stop
        start turn add remove set write draft summarize summarise translate explain describe list give show help
        absolutely definitely exactly perfect awesome amazing cool lovely wonderful interesting glad awesome
        mr mrs ms dr prof sir is are was were do does did can could should would will who what when where why how
        red blue green black white big small little old first second third north south east west yours sincerely
        regards cheers bye goodbye goodnight lunch dinner breakfast pizza coffee tea work school home family""",
    verb_endings="ing ly",
    macros={"adv": ADV, "be": BE, "work": "(?:works?|worked|working|has worked|have worked)"},
    sayings=r"""
        works_at {a} {adv}(?:is |was |are |were |has been |been )?{work} (?:(?:as|in) [\w ]{1,30}? |there |part-time |together )?at {b}
        works_for {a} {adv}(?:is |was |are |were |has been |been )?{work} (?:as [\w ]{1,30}? )?for {b}
        works_with {a} {adv}(?:is |was |are |were )?{work} (?:closely |together )?(?:with|alongside) {b}
        works_at {a} (?:got|has|had|started|took|found|has got) (?:a|an|the|her|his) (?:new )?job at {b}
        works_at {a} {adv}(?:joined|has joined|interned at|is employed (?:at|by)) {b}
        knows {a} {adv}(?:knows?|knew|has known|have known) {b}
        met {a} {adv}(?:met|has met|ran into|met up with) {b}
        lives_in {a} {adv}(?:is |was |has |are |were )?(?:lives?|lived|living|resides?|resided) (?:alone |happily )?(?:in|near) {b}
        lives_in {a} {adv}(?:is |was |has |are |were )?(?:moved|moving|moves|relocated|relocating) (?:back |away |over )?(?:from § )?to {b}
        comes_from {a} {be} {adv}(?:originally )?from {b}
        comes_from {a} {adv}(?:comes?|came) from {b}
        born_in {a} {be} born (?:and raised )?in {b}
        grew_up_in {a} {adv}grew up in {b}
        visited {a} {adv}(?:visited|has visited|travelled to|traveled to|flew to|went to) {b}
        studies_at {a} {adv}(?:is |was |are |were )?(?:stud(?:ies|y|ied|ying)|graduated|teaches|taught|teaching) (?:[\w ]{1,30} )?(?:at|from) {b}
        married_to {a} {be} {adv}(?:happily )?married to {b}
        married_to {a} {adv}(?:married|marries|got married to|is marrying) {b}
        married_to {a} and {b} (?:are|were|got|have been) (?:happily )?married
        engaged_to {a} {be} engaged to {b}
        dating {a} {be} (?:dating|seeing|going out with) {b}
        founded {a} {adv}(?:founded|co-founded|started|set up) (?:the company |a company called |the startup )?{b}
        created {a} {adv}(?:created|made|built|invented|designed|developed) (?:the |a )?{b}
        wrote {a} {adv}(?:wrote|has written|writes|composed|directed|painted) (?:the (?:novel|book|song|film) )?{b}
        created {b} {be} (?:created|made|built|invented|designed|developed) by {a}
        wrote {b} {be} (?:written|composed|directed|painted) by {a}
        founded {b} {be} founded by {a}
        owns {a} {adv}(?:owns?|owned|bought|has bought) (?:a |an |the )?(?:new )?{b}
        uses {a} {adv}(?:uses?|used|switched to|prefers?) {b}
        leads {a} {adv}(?:leads?|led|runs?|ran|manages?|managed|heads?) {b}
        located_in {a} {be} (?:located |based |situated )?in {b}
        part_of {a} {be} (?:a )?(?:part|member|subsidiary) of {b}
        {kin}_of {a} {be} {adv}(?:(?:a|an|the|one|another) )?(?:[\w]+ )?{kin} (?:of|to) {b}
        {kin}_of {a} {be} {adv}{b}(?:'s|’s|s'|') (?:[\w]+ )?{kin}\b
        {kin}_of {b}(?:'s|’s|s'|') (?:[\w]+ )?{kin},? (?:is called |is named |is |called |named )?{a}
        {kin}_of {a}, (?:the )?(?:[\w]+ )?{kin} (?:of|to) {b}
        {kin}_of {a}, {b}(?:'s|’s) (?:[\w]+ )?{kin}\b
        {kin}_of {a} and {b} {be} {kin}\b
        {role}_of {a} {be} {adv}(?:a|an|the) {role} (?:of|at) {b}
        {role}_of {a}, (?:a|an|the) {role} (?:of|at) {b}
        """,
)
