"""Names in German, which writes every noun with a capital: only what stands beside a word tells a name."""
# ruff: noqa: E501 - a template is one line

from .table import name_words

ADV = r"(?:(?:auch|jetzt|immer noch|noch|zurzeit|gerade|schon|seit \w+|früher|heute|damals|gern) )?"
WORDS = name_words(
    titles="herr herrn frau dr doktor prof professor professorin tante onkel oma opa kanzler kanzlerin könig königin familie",
    kin="""schwester schwestern=sister, bruder brüder=brother, mutter mama=mother, vater papa=father, sohn söhne=son,
        tochter töchter=daughter, frau ehefrau=wife, mann ehemann=husband, partner partnerin=partner,
        verlobte verlobter=fiance, freund freundin freunde=friend, cousin cousine=cousin, tante=aunt, onkel=uncle,
        nichte=niece, neffe=nephew, oma großmutter=grandmother, opa großvater=grandfather, enkel=grandson,
        enkelin=granddaughter, nachbar nachbarin=neighbour, kollege kollegin kollegen=colleague, chef chefin=boss,
        lehrer lehrerin=teacher, mitbewohner mitbewohnerin=roommate, hund=dog, katze kater=cat, zwilling=twin""",
    person_verbs="""sagt sagte meint meinte arbeitet arbeitete wohnt wohnte lebt lebte liebt mag kennt
        kannte heißt hieß zog spielt spielte studiert studierte schreibt schrieb fragt fragte gründete
        leitet besucht besuchte erzählt erzählte heiratet heiratete isst trinkt lernt""",
    before_person="namens, heißt, traf, kennt, kenne, liebe, lieber, hallo, frag, frage, besuche, grüße an, namen, treffe, besucht, zusammen mit, verheiratet mit, gespräch mit, gesprochen mit",
    before_place="in, nach, aus, wohne in, wohnt in, lebt in, lebe in, richtung, gezogen nach, fliege nach, reise nach",
    before_organisation="""arbeitet bei, arbeite bei, arbeitete bei, arbeiten bei, gearbeitet bei, angestellt bei, firma,
        job bei, stelle bei, bei, verein, band, studiert an der, studierte an der, unternehmen, praktikum bei, vorstellungsgespräch bei""",
    before_product="mein neues, mein neuer, meine neue, meinen neuen, ein neues, einen neuen, nutze, benutze, nutzt, spiele, fährt einen, fahre einen",
    organisation_words="gmbh ag kg se ev e.v. ohg universität hochschule bank sparkasse institut ministerium klinikum krankenhaus museum stiftung verein verlag orchester gymnasium werke gruppe akademie theater bäckerei kirche",
    place_words="straße platz see berg insel flughafen bahnhof hauptbahnhof park wald tal allee weg ufer strand schloss dom",
    joiners="von der, von, zu, van der, van, de la, de, der, vom, für, &",
    articles="der die das den dem des ein eine einen einem einer mein meine meinen meinem meiner dein deine sein seine seinen ihr ihre ihren unser unsere kein keine jeder jede diese dieser dieses zum zur im am beim vom ins ans",
    not_names="""montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar märz april mai juni juli
        august september oktober november dezember weihnachten ostern silvester neujahr pfingsten frühling sommer
        herbst winter herr frau dr prof ja nein danke bitte hallo hi guten liebe lieber gestern heute morgen abend mittag
        nacht vormittag nachmittag arbeit hause haus rente urlaub ruhe angst ordnung zukunft
        vergangenheit zeit schule kirche uni universität büro bett stadt land fuß geld wasser wein bier kaffee tee
        milch holz papier deutschunterricht feierabend eile wahrheit wirklichkeit frage fragen teilzeit vollzeit
        elternzeit form anspruch zusammenhang betrieb bezug kürze freunden familie kollegen kindern leuten
        menschen freude schnee regen sonne bäumen not bus bahn zug auto rad flugzeug tv pc usb pdf ok okay ich wir
        du sie er es deutsch englisch französisch spanisch italienisch russisch mathe musik sport liebe hilfe schluss
        mama papa oma opa gott user assistant nutzer assistent ende anfang mitte tag woche monat jahr uhr bitte
        vegetarier veganer student studentin lehrer lehrerin arzt ärztin ingenieur ingenieurin""",
    verb_endings="ung heit keit schaft tion tät nis chen lein ment ismus ling",
    nouns_are_capitalised=True,
    macros={
        "adv": ADV,
        "s": r"(?:s|'s|’s|'|’)?",
        "mein": "(?:(?:die|der|das|eine|ein|meine|mein|seine|sein|ihre|ihr) )?",
    },
    sayings=r"""
        works_at {a} {adv}(?:arbeitet|arbeitete|jobbt|arbeiten) {adv}(?:als \w+ )?(?:bei|an der|am|im|beim) (?:der |dem )?{b}
        works_at {a} {adv}(?:hat|hatte) (?:[\w ]{1,30} )?bei {b} (?:gearbeitet|angefangen)
        works_at {a} {adv}(?:als \w+ )?bei {b} (?:arbeitet|arbeitete|gearbeitet)
        works_for {a} {adv}(?:arbeitet|arbeitete) {adv}für {b}
        works_with {a} {adv}(?:arbeitet|arbeitete|arbeiten) {adv}mit {b}
        knows {a} {adv}(?:kennt|kannte|kennen) {adv}{b}
        met {a} (?:traf|trifft|hat) {adv}{b}(?: (?:getroffen|kennengelernt))?
        lives_in {a} {adv}(?:wohnt|lebt|wohnte|lebte|wohnen|leben) {adv}(?:in|bei|nahe) {b}
        lives_in {a} {adv}in {b} (?:wohnt|lebt|wohnte|lebte)
        lives_in {a} (?:zog|zieht|ist|ziehen) {adv}(?:[\w ]{1,20} )?nach {b}
        comes_from {a} {adv}(?:kommt|kam|stammt|stammte) {adv}aus {b}
        born_in {a} (?:ist|wurde) (?:[\w. ]{1,30} )?in {b} geboren
        studies_at {a} {adv}(?:studiert|studierte|lehrt|lehrte) (?:[\w ]{1,30} )?an der {b}
        married_to {a} ist {adv}mit {b} verheiratet
        married_to {a} {adv}(?:heiratet|heiratete) {b}
        married_to {a} und {b} (?:sind|haben|waren) (?:[\w ]{1,20} )?(?:verheiratet|geheiratet)
        founded {a} {adv}(?:gründete|gründet|hat) (?:[\w ]{1,20} )?(?:die firma |das unternehmen )?{b}(?: gegründet)?
        wrote {a} {adv}(?:schrieb|schreibt) (?:(?:den|das|die) (?:roman|buch|lied) )?{b}
        visited {a} {adv}(?:besucht|besuchte) {b}
        located_in {a} (?:liegt|steht|ist|befindet sich) in {b}
        uses {a} {adv}(?:nutzt|benutzt|verwendet) {b}
        owns {a} (?:kaufte|kauft|hat|besitzt) (?:sich )?(?:ein|einen|eine|das|den|die) (?:neues |neuen |neue )?{b}
        leads {a} {adv}(?:leitet|leitete|führt) (?:die |das |den )?{b}
        {kin}_of {a} ist {mein}(?:\w+ )?{kin} von {b}
        {kin}_of {a} ist {b}{s} (?:\w+ )?{kin}\b
        {kin}_of {a}, {mein}{kin} von {b}
        {kin}_of {b}{s} {kin},? (?:heißt |ist )?{a}
        {kin}_of {mein}{kin} von {b} (?:heißt|ist) {a}
        {kin}_of {a} und {b} sind {kin}\b
        {role}_of {a} ist (?:der|die|das|ein|eine) {role} (?:von|bei) (?:der |dem )?{b}
        """,
)
