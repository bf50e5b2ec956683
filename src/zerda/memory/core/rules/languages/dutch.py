"""Dutch."""
# ruff: noqa: E501 - a template is one line

from .table import FirstPerson, language, time_words

TIMES = time_words(
    months="""januari jan, februari feb, maart, april, mei, juni, juli, augustus, september sept, oktober okt,
        november nov, december dec""",
    weekdays=", ".join(
        f"{day} {day}avond {day}ochtend {day}middag {day}nacht"
        for day in ("maandag", "dinsdag", "woensdag", "donderdag", "vrijdag", "zaterdag", "zondag")
    ),
    units={
        "day0": "uur uren minuut minuten seconde seconden",
        "day": "dag dagen nacht nachten",
        "week": "week weken",
        "weekend": "weekend weekeinde weekends",
        "month": "maand maanden",
        "month6": "half_jaar",
        "month18": "anderhalf_jaar",
        "year": "jaar jaren",
    },
    numbers="""een één=1, twee=2, drie=3, vier=4, vijf=5, zes=6, zeven=7, acht=8, negen=9, tien=10, elf=11,
        twaalf=12, vijftien=15, twintig=20, dertig=30""",
    few="paar een_paar enkele enige",
    which="vorige vorig afgelopen verleden=-1, deze dit=0, volgende volgend komende komend aanstaande=1",
    named="""vandaag vanavond vanochtend vanmorgen vanmiddag vannacht=0, gisteren gisteravond gisterochtend
        gistermiddag de_dag_ervoor=-1, eergisteren=-2, morgen morgenavond=1, overmorgen=2, laatst onlangs=-21..-1""",
    seasons="lente voorjaar, zomer, herfst najaar, winter",
    parts="begin, midden, eind einde",
    ordinals="eerste=1, tweede=2, derde=3, vierde=4, laatste=-1",
    holidays="kerst kerstmis=12-25, oudejaarsavond oudjaar=12-31, nieuwjaar=1-1, sinterklaas=12-5, koningsdag=4-27",
    since="sinds vanaf",
    future=r"\b(?:zal|zullen|zult|ga|gaan|gaat|wil|willen|volgende?|komende?|binnenkort|van plan)\b",
    past=r"\b(?:was|waren|had|hadden|ging|gingen|kwam|kwamen|zag|zagen|heb|heeft|hebben|werd|ge\w{3,12}(?:d|t|en))\b",
    patterns=r"""
        nth {ord} (?:{unit}|{weekday}) van {month}(?: {year})?
        date (?:van )?{day} ?(?:[-–—]|tot|tot en met|t/m|en) ?{day2} {month}(?: {year})?
        date (?:{weekday} )?{day} {month}(?: {year})?
        date (?:{part} )?{month} {year}
        date (?:{part} )?{season} (?:van )?{year}
        date (?:{part}|in) {year}
        date {part} {month}
        which {month} {which} {unit}
        which {season} (?:van )?{which} {unit}
        which {weekday} {which} {unit}
        ago (?:ongeveer |bijna |ruim )?(?:{n} )?{unit} (?:geleden|terug)
        ahead over (?:ongeveer )?{n} {unit}
        lasting (?:al|sinds|gedurende|de afgelopen|de laatste) (?:bijna |ruim |ongeveer )?{n} {unit}
        lasting {n} {unit} lang
        named (?<!goede )(?<!elke )(?<!de ){named}
        which (?:in )?(?:de |het )?{which} (?:{weekday}|{month}|{season}|{unit})
        which in het {weekend}
        holiday (?:met|rond|voor|na|sinds|op|{which}) {holiday}
        date (?:in|sinds|tot|vanaf|voor|na|van) {month}
        date (?:in de|in het|afgelopen|deze) {season}
        date (?<!elke )(?<!iedere ){weekday}
        date {month}
        decade (?:de )?jaren (?:['’] ?)?{decade}
        date {year}(?! ?(?:[%€$]|euro|mensen|meter|stappen)\b)(?![.,:/-]\d)
        """,
)

LANGUAGE = language(
    "nl",
    "Dutch",
    snowball="dutch",
    scripts="Latin",
    questions="""wie wiens wat welk welke wanneer waar waarheen waarvandaan waarom hoe hoeveel hoelang
        waarmee waarover waarvoor""",
    pronouns="""ik me mij mijn mijne jij je jou jouw u uw hij hem zijn zij ze haar het wij we ons onze
        jullie hen hun zich zichzelf mezelf jezelf dit dat deze die degene men iemand iets niemand niets""",
    others="""de een het 't n s ben bent is zijn was waren geweest wees heb hebt heeft hebben had hadden
        gehad word wordt worden werd werden geworden zal zult zullen zou zouden kan kunt kunnen kon
        konden moet moeten moest moesten mag mogen mocht wil wilt willen wilde wilden wou ga gaat gaan
        ging gingen doe doet doen deed deden gedaan en of maar want dus als dan toen omdat doordat
        terwijl hoewel zodat indien tenzij dat toch aan af bij binnen boven buiten door in langs met na
        naar naast om onder op over per rond sinds te tegen tot tussen uit van vanaf via voor voorbij
        zonder ten ter niet geen nee ja ook nog al alleen heel zeer erg zo meer meest minder veel vele
        weinig wat wel eens even maar hier daar er ergens nergens overal nu straks later altijd nooit
        soms vaak weer misschien ongeveer bijna juist alle alles ander andere anderen elk elke ieder
        iedere iedereen enkele sommige zelf eigen beide zulke daarom daarna daarmee daarvan daarvoor
        daarover daarin eraan erin ermee erop ervan zeg zegt zeggen zei gezegd weet weten komt komen kwam
        geeft geven gaf maakt maken dank bedankt hallo hoi oké ok oh ah nou hoor""",
    letters="ĳ",
    when_phrases=(
        r"^(?!\W*(?:wie|wat|waar|hoe|waarom|welke?)\b).*\bwanneer\b",
        r"hoe ?lang\b",
        r"hoeveel (?:tijd|dagen|weken|maanden|jaar|jaren|uur)\b",
        r"(?:op |in )?welke? (?:dag|datum|week|weekend|maand|jaar|seizoen)\b",
        r"hoe laat\b",
        r"wat (?:is|was) de datum\b",
    ),
    first_person=FirstPerson(
        "ik", "mijn", suffixes=("'s", "’s", "'", "’"), glued=("s",), before=frozenset({"van"})
    ),
    times=TIMES,
)
