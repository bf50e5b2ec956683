"""Dutch: words, no times yet."""

from .table import FirstPerson, language

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
        r"wanneer\b",
        r"hoe ?lang\b",
        r"hoeveel (?:tijd|dagen|weken|maanden|jaar|jaren|uur)\b",
        r"(?:op |in )?welke? (?:dag|datum|week|weekend|maand|jaar|seizoen)\b",
        r"hoe laat\b",
        r"wat (?:is|was) de datum\b",
    ),
    first_person=FirstPerson(
        "ik", "mijn", suffixes=("'s", "’s", "'", "’"), glued=("s",), before=frozenset({"van"})
    ),
)
