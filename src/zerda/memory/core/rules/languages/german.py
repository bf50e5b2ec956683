"""German."""

from .table import FirstPerson, language

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

LANGUAGE = language(
    "de",
    "German",
    snowball="german",
    scripts="Latin",
    questions="""wer wen wem wessen was welche welchem welchen welcher welches wann wo woher wohin warum
        weshalb wieso wie wieviel wieviele womit wofür worüber woran worauf worin wovon wozu wobei
        wodurch""",
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
)
