"""German."""
# ruff: noqa: E501 - a template is one line

from .table import FirstPerson, language, time_words

OTHERS = """
der die das den dem des ein eine einen einem einer eines kein keine keinen keinem keiner keines bin bist
ist sind seid war warst waren wart sein gewesen wäre wären wärst habe hab hast hat haben habt hatte
hattest hatten hattet gehabt hätte hätten hättest werde wirst wird werden werdet wurde wurden wurdest
geworden worden würde würden würdest kann kannst können könnt konnte konnten könnte könnten muss musst
müssen müsst musste mussten müsste soll sollst sollen sollt sollte sollten will willst wollen wollt
wollte wollten mag magst mögen möchte möchten darf darfst dürfen durfte durften dürfte lass lassen und
oder aber denn sondern doch wenn weil dass daß ob als wie damit sodass obwohl während bevor nachdem bis
seit falls an am auf aus außer bei beim durch für gegen hinter im in ins mit nach neben ohne über um
unter von vom vor zu zum zur zwischen wegen trotz entlang gegenüber innerhalb außerhalb statt nicht
nichts nie niemals nur noch nun auch schon sehr so sogar bereits etwa mal einmal halt eben ja nein doch
hier da dort dann dabei dadurch dafür dagegen daher dahin damals danach daneben daran darauf daraus darin
darüber darum darunter davon davor dazu dazwischen hin her hinaus herum immer wieder oft manchmal
vielleicht ganz gar gerade jetzt bald etwas alles alle allem allen aller viel viele vielen vieler mehr
meist meisten wenig wenige weniger andere anderem anderen anderer anderes jede jedem jeden jeder jedes
jener jene jenes solch solche solchem solchen solcher selbst selber eigen eigene eigenen eigentlich
einfach einige einigen einiger einiges beide beiden also zwar jedoch trotzdem deshalb deswegen sonst
außerdem übrigens natürlich ungefähr bitte danke hallo okay ok naja ach oh na tja genau mach mache machst
macht machen gemacht geht gehen ging gibt geben gab kommt kommen kam sag sagt sagte sagen gesagt weiß
weißt wissen
"""

TIMES = time_words(
    months="""januar jänner jan, februar feber feb, märz, april, mai, juni, juli, august, september sept,
        oktober okt, november nov, dezember dez""",
    weekdays=", ".join(
        f"{day} {day}abend {day}morgen {day}nachmittag {day}vormittag {day}mittag {day}nacht"
        for day in ("montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag")
    ),
    units={
        "day0": "stunde stunden minute minuten sekunde sekunden",
        "day": "tag tage tagen tages",
        "week": "woche wochen",
        "weekend": "wochenende wochenenden",
        "month": "monat monate monaten monats",
        "month6": "halben_jahr halbes_jahr",
        "month18": "eineinhalb_jahren anderthalb_jahren",
        "year": "jahr jahre jahren jahres",
        "year10": "jahrzehnt jahrzehnte jahrzehnten",
    },
    numbers="""ein eine einem einen einer eines=1, zwei=2, drei=3, vier=4, fünf=5, sechs=6, sieben=7, acht=8,
        neun=9, zehn=10, elf=11, zwölf=12, vierzehn=14, fünfzehn=15, zwanzig=20, dreißig=30""",
    few="paar ein_paar einige einigen mehrere mehreren wenigen",
    which="""letzte letzten letztem letzter letztes vergangene vergangenen vergangenem vergangener vergangenes
        vorige vorigen vorigem voriger voriges=-1, diese diesen diesem dieser dieses=0,
        nächste nächsten nächstem nächster nächstes kommende kommenden kommendem kommender kommendes=1,
        vorletzte vorletzten vorletztem vorletzter vorletztes=-2,
        übernächste übernächsten übernächster übernächstes=2""",
    named="""heute heute_morgen heute_früh heute_abend heute_nacht heute_nachmittag heute_vormittag=0,
        gestern gestern_abend gestern_morgen gestern_nachmittag letzte_nacht am_tag_zuvor am_vortag=-1,
        vorgestern=-2, morgen morgen_früh morgen_abend=1, übermorgen=2, neulich letztens=-21..-1""",
    seasons="frühling frühjahr, sommer, herbst, winter",
    parts="anfang, mitte, ende",
    ordinals="""erste ersten erster erstes=1, zweite zweiten zweiter zweites=2, dritte dritten drittes=3,
        vierte vierten viertes=4, letzte letzten letztes=-1""",
    sides="vor=-1, vom=0, nach=1",
    holidays="weihnachten=12-25, heiligabend=12-24, silvester=12-31, neujahr=1-1, nikolaus=12-6",
    since="seit",
    future=r"""\b(?:werde|wirst|wird|werden|werdet|will|wollen|möchte|möchten|plane|planen|geplant|freue|freuen
        |kommend\w*|nächst\w*|bald)\b""",
    past=r"""\b(?:war|warst|waren|hatte|hatten|wurde|wurden|ging|gingen|kam|kamen|fuhr|fuhren|traf|trafen|sah
        |ge\w{3,12}(?:t|en)|(?!heute|bitte|letzte|mitte|seite|erste|zweite|dritte|konnte|mochte|beste)\w{3,12}te)\b
        """,
    patterns=r"""
        beside (?:{unit}|{weekday}) {side} (?:dem |den )?{day}\. ?{month}(?: {year})?
        nth {ord} (?:{unit}|{weekday}) (?:im|des|von) {month}(?:s)?(?: {year})?
        date (?:vom )?{day}\.? ?(?:[-–—]|bis|bis zum|und) ?{day2}\. ?{month}(?: {year})?
        date (?:{weekday},? (?:den |dem )?)?{day}\. ?{month}\.?(?: {year})?
        date (?:am|vom|bis|zum|seit|dem|den) {day}\. ?{mon}\.(?![\d])
        date (?:{part} )?{month} {year}
        date (?:{part} )?{season} {year}
        date (?:{part}|im jahre?|in) {year}
        date {part} {month}
        which {month} {which} {unit}
        which {season} {which} {unit}
        which {weekday} {which} {unit}
        ago vor (?:etwa |ungefähr |rund |fast |über |gut )?(?:{n} )?{unit}
        ahead! in (?:etwa |ungefähr |rund )?{n} {unit}
        lasting (?:seit|für|schon|in den letzten) (?:etwa |fast |über |rund |gut )?(?:den letzten )?{n} {unit}
        lasting {n} {unit} lang
        named (?<!guten )(?<!am )(?<!jeden )(?<!diesen )(?<!der )(?<!den )(?<!dem )(?<!zum )(?<!vor ){named}
        which (?:am|im|in der|in|an)? ?{which} (?:{weekday}|{month}|{season})
        which (?:{part} )?{which} {unit}
        which am {weekend}
        holiday (?:an|zu|über|vor|nach|seit|bis|{which}) {holiday}(?: {year})?
        date (?:im|seit|bis|ab|vor|nach|von) {month}
        date (?:im|seit|diesen|über den) {season}
        date (?<!jeden ){weekday}
        date {month}
        decade (?:die |den |der )?{decade}er(?: ?-?jahren?)?
        date {year}(?! ?(?:[%€$]|euro|leute|menschen|schritte|personen|meter|kilometer|gramm|kalorien)\b)(?![.,:/-]\d)
        """,
)

LANGUAGE = language(
    "de",
    "German",
    snowball="german",
    scripts="Latin",
    questions="""wer wen wem wessen was welche welchem welchen welcher welches wann wo woher wohin warum
        weshalb wieso wie wieviel wieviele womit wofür worüber woran worauf worin wovon wozu wobei
        wodurch wovor wogegen woraus wohinter worunter""",
    pronouns="""ich mich mir mein meine meinem meinen meiner meines du dich dir dein deine deinem deinen
        deiner deines er ihn ihm sein seine seinem seinen seiner seines sie ihr ihre ihrem ihren ihrer
        ihres ihnen es wir uns unser unsere unserem unseren unserer unseres euch euer eure eurem euren
        eurer man sich dies diese diesem diesen dieser dieses derjenige diejenige dasjenige derselbe
        dieselbe dasselbe deren dessen denen jemand jemanden jemandem niemand niemanden""",
    others=OTHERS,
    letters="ßäöü",
    when_phrases=(
        r"wann\b",
        r"(?:seit|bis|ab) wann\b",
        r"wie lange?\b",
        r"wie viele? (?:tage|wochen|monate|jahre|stunden|minuten)n?\b",
        r"(?:an |in |zu )?welche[mnrs]? (?:tag|datum|woche|wochenende|monat|jahr|jahreszeit|wochentag)\w*",
        r"um wie ?viel uhr\b",
        r"wie spät\b",
        r"was für ein(?:en)? (?:tag|datum)\b",
        r"das datum\b",
    ),
    first_person=FirstPerson(
        "ich", "mein", suffixes=("'s", "’s", "'", "’"), glued=("s",), before=frozenset({"von"})
    ),
    times=TIMES,
)
