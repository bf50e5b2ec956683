"""English."""
# ruff: noqa: E501 - a template is one line

from .table import FirstPerson, language, time_words

# "don't" comes as "don" and "t", and from hasty typists as "dont". "won" and "ill" are words of their own,
# so they stay in.
OTHERS = """
a an the am is are was were be been being isn aren wasn weren ain isnt arent wasnt werent aint have has
had having haven hasn hadn havent hasnt hadnt do does did doing done don doesn didn dont doesnt didnt
will would shall should can could may might must ought wouldn shouldn couldn mightn mustn needn shan
wouldnt shouldnt couldnt mightnt mustnt neednt shant wont cannot cant gonna wanna gotta s t d m o re ve
ll y im ive id youre youve youll youd hes shes theyre theyve theyll theyd weve thats theres whats wheres
whos hows lets and or but nor so yet if then else than because as while though although unless until till
since whether of at by for with about against between into through during before after above below to
from up down in out on off over under again further onto upon toward towards within without across along
among around behind beside besides beyond near per via not no only own same too very just also even still
already ever never always often really quite rather almost perhaps maybe however therefore thus hence
well now here there everywhere somewhere anywhere all any both each few more most other others another
some such many much several either neither every less least lot lots bit kind sort let say says said tell
tells told know knows knew like get gets got getting go goes going went gone make makes made come comes
came take takes took give gives gave put ok okay oh hey hi hello wow yeah yes yep nope please thanks
thank sure thing things something anything nothing everything back once instead mention mentioned
mentions describe described talk talked talking able etc ago later
"""

TH = "(?:st|nd|rd|th)?"
YEAR = "(?:,? (?:of )?{yr})?"
TO = "(?:[-–—]|to|and|through|until|till)"
AT = "(?:in|since|until|till|by|during|around|throughout|before|after|of|from|through|for|to|mid|late)"
ABOUT = "(?:(?:about|around|over|almost|nearly|more than|at least|like|just|only|roughly) )?"
NO_PLACE = r"(?! (?:floor|grade|street|century|birthday|anniversary|place|try|attempt|time|of|{month})\b)"
NO_GIFT = (
    r"(?! (?:trees?|gifts?|presents?|cards?|songs?|movies?|music|lights|ornaments?|costumes?|candy|carols?))"
)
# 2000 steps and 2,000.5 are no years.
NO_COUNT = r"""(?![.,:/-]\d)(?! ?(?:[%€$£]|dollars|bucks|euros|pounds|people|steps|calories|words|miles|points
    |followers|subscribers|members|copies|users|hours|meters|feet|square|sq|kcal|mg|ml|kg|lbs|km)\b)""".replace(
    "\n    ", ""
)
TIMES = time_words(
    months="""january jan, february feb, march mar, april apr, may, june jun, july jul, august aug,
        september sept sep, october oct, november nov, december dec""",
    weekdays="""monday mon, tuesday tue tues, wednesday wed weds, thursday thu thur thurs,
        friday fri, saturday sat, sunday sun""",
    units={
        "day0": "hour hours hr hrs minute minutes min mins second seconds",
        "day": "day days night nights",
        "week": "week weeks wk wks",
        "week2": "fortnight fortnights",
        "weekend": "weekend weekends",
        "month": "month months",
        "month6": "half_a_year",
        "month18": "year_and_a_half",
        "year": "year years yr yrs",
        "year10": "decade decades",
    },
    numbers="""a an one=1, two couple a_couple couple_of a_couple_of=2, three=3, four=4, five=5, six=6,
        seven=7, eight=8, nine=9, ten=10, eleven=11, twelve a_dozen=12, thirteen=13, fourteen=14, fifteen=15, twenty=20,
        thirty=30""",
    few="few a_few several some many a_couple_few quite_a_few",
    which="""last past previous this_past this_last the_past the_previous=-1, this the_current current=0,
        next coming upcoming following this_coming this_next the_next the_coming the_upcoming the_following=1""",
    named="""today tonight this_morning this_afternoon this_evening earlier_today later_today=0,
        yesterday last_night last_evening the_night_before the_day_before yday=-1,
        the_day_before_yesterday day_before_yesterday=-2,
        tomorrow tmrw tmr the_next_day the_following_day=1, the_day_after_tomorrow day_after_tomorrow=2,
        the_other_day the_other_night=-7..-1, the_other_week=-21..-7,
        a_while_ago a_while_back=-365..-30""",
    seasons="spring springtime, summer summertime, fall autumn, winter wintertime",
    parts="""early beginning_of the_beginning_of start_of the_start_of, mid middle_of the_middle_of,
        late end_of the_end_of""",
    ordinals="first 1st=1, second 2nd=2, third 3rd=3, fourth 4th=4, fifth 5th=5, last=-1",
    sides="before prior_to preceding=-1, of=0, after following=1",
    holidays="""christmas_eve=12-24, christmas xmas christmas_day=12-25, new_year's_eve new_years_eve=12-31,
        new_year's_day new_years_day new_year's new_years=1-1, halloween=10-31,
        valentine's_day valentines_day valentine's=2-14, st_patrick's_day=3-17, independence_day=7-4""",
    since="since",
    weak="jan mar april may march june mon tue wed weds thu fri sat sun dec fall spring",
    future=r"""\b(?:will|won't|shall|(?:is|are|am|'m|'re|'s|i'm) (?:\w+ )?going|going to|gonna|upcoming
        |plan|plans|planning|planned|scheduled|can't wait|cant wait|look forward|looking forward|hope to
        |hoping|excited|about to|ready for|get ready|preparing|prepare|want to|let's|lets|have to|need to|see you|due|deadline|book
        |supposed|next|coming up|thinking of|thinking about|would like|i'd like|aim|aiming)\b|(?:'|’)ll\b""",
    past=r"""\b(?:was|were|had|did|didn't|went|got|took|made|saw|met|came|bought|gave|found|began|became
        |spent|left|held|ran|won|lost|felt|told|said|been|wrote|sent|brought|taught|caught|thought|knew|grew|drove|flew|ate
        |swam|sang|built|broke|chose|fell|heard|kept|led|paid|read|sold|spoke|stood|threw|wore|just|ago
        |(?!excited|interested|suppos|schedul|plann|thrilled|stoked|need|married)\w{3,14}ed)\b""",
    month_first=True,
    patterns=rf"""
        beside (?:the )?(?:{{unit}}|{{weekday}}) {{side}} (?:the )?{{day}}{TH}(?: of)? {{month}}{YEAR}
        beside (?:the )?(?:{{unit}}|{{weekday}}) {{side}} {{month}} (?:the )?{{day}}{TH}{YEAR}
        nth (?:the )?{{ord}} (?:{{unit}}|{{weekday}}) (?:of|in) {{month}}{YEAR}
        date (?:the )?{{day}}{TH} ?{TO} ?(?:the )?{{day2}}{TH} (?:of )?{{month}}{YEAR}
        date {{month}} (?:the )?{{day}}{TH} ?{TO} ?(?:the )?{{day2}}{TH}{YEAR}
        date (?:{{weekday}},? )?(?:the )?{{day}}{TH} (?:of )?{{month}}{YEAR}
        date (?:{{weekday}},? )?{{month}}\.? (?:the )?{{day}}{TH}{YEAR}
        date (?:{{part}}[ -])?{{month}}(?: of)?,? {{yr}}
        date (?:{{part}}[ -])?{{season}}(?: of)?,? {{yr}}
        date (?:{{part}}|in|during) (?:the year )?{{year}}{NO_COUNT}
        date {{part}}[ -]{{month}}
        which {{weekday}} (?:of |in )?{{which}} {{unit}}
        which (?:in )?{{month}} (?:of |in )?{{which}} {{unit}}
        which (?:in )?(?:the )?{{season}} (?:of |in )?{{which}} {{unit}}
        which {{which}} {{unit}},? (?:on )?{{weekday}}
        which {{which}} {{unit}},? (?:in|around) {{month}}
        before_last (?:the )?(?:{{unit}}|{{weekday}}) before last
        named {{named}}(?! of\b)
        ago (?:{{n}} )?(?:or (?:so|two|three) )?{{unit}}(?: or (?:so|two|three))? (?:ago|back|earlier)
        ago {{n}} {{weekday}}s ago
        ahead {{n}} {{unit}} from (?:now|today|tomorrow)
        lasting (?:for|in|over|during|within|of) {ABOUT}the (?:last|past) (?:{{n}} )?{{unit}}
        lasting (?:for )?{ABOUT}(?:the )?(?:last|past) {{n}} {{unit}}
        lasting (?:for|been|together|married|over|nearly|almost) {ABOUT}{{n}} {{unit}}(?: now)?(?! since)
        ahead! (?<!time )(?<!first )(?<!once )(?<!twice )(?<!times )in {ABOUT}{{n}} {{unit}}(?:['’]s?)?(?: time)?
        which! {{which}} (?:{{weekday}}|{{month}})
        which {{which}} {{season}}
        which (?:{{part}} )?{{which}} {{unit}}
        which the {{unit}} {{side}}
        which (?:over|on|at) the {{weekend}}(?<!s)
        holiday (?:{{which}}|{AT}|on|at|over|during) (?:the )?{{holiday}}{YEAR}{NO_GIFT}
        date (?:on|by|until|till|since) (?:the )?{{day}}(?:st|nd|rd|th){NO_PLACE}
        date {AT} {{month}}
        date (?:in|since|until|till|by|during|throughout|before|after|over|this|all) (?:the )?{{season}}
        date! (?<!every )(?<!each )(?<!other ){{weekday}}
        date! {{month}}
        decade (?:the (?:{{part}}[ -])?['’]?|['’]|(?=\d{{4}})){{decade}}['’]?s
        date {{year}}{NO_COUNT}
        """,
)

LANGUAGE = language(
    "en",
    "English",
    snowball="english",
    scripts="Latin",
    questions="who whom whose what which when where why how",
    pronouns="""i me my mine myself we us our ours ourselves you your yours yourself yourselves ya he him
        his himself she her hers herself it its itself they them their theirs themselves this that these
        those one ones someone somebody anyone anybody everyone everybody nobody none""",
    others=OTHERS,
    when_phrases=(
        r"when(?:['’]s| (?:did|do|does|is|are|was|were|will|would|ha[sd]|have|can|could|should|may|might)\b)",
        r"(?:since|until|till|from|by) when\b",
        r"when\s*\?",
        r"^\W*(?:and |so |but |ok |okay )*when\b(?!.*\b(?:who|what|where|why|how|which)\b)",
        r"(?:tell me|know|remember|recall|remind me|say|said|sure|asked) when\b",
        r"(?:what|which) (?:\w+ )?(?:dates?|days?|weeks?|weekends?|weekday|months?|years?|season|decade)\b",
        r"what time(?! (?:management|zone|travel))\b",
        r"how (?:long|soon|recently|recent|early|late)\b",
        r"how many (?:\w+ )?(?:days|weeks|weekends|months|years|hours|minutes|nights)\b",
        r"how much time\b",
        r"(?:the|a) (?:date|dates) (?:of|when|that|on|for)\b",
    ),
    first_person=FirstPerson("I", "my", suffixes=("'s", "’s", "'", "’"), glued=("s",)),
    times=TIMES,
)
