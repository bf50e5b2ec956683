"""Polish."""
# ruff: noqa: E501 - a template is one line

from .table import FirstPerson, language, time_words

TIMES = time_words(
    months="""styczeń stycznia styczniu, luty lutego lutym, marzec marca marcu, kwiecień kwietnia kwietniu,
        maj maja maju, czerwiec czerwca czerwcu, lipiec lipca lipcu, sierpień sierpnia sierpniu,
        wrzesień września wrześniu, październik października październiku, listopad listopada listopadzie,
        grudzień grudnia grudniu""",
    weekdays="""poniedziałek poniedziałku, wtorek wtorku, środa środę środy, czwartek czwartku,
        piątek piątku, sobota sobotę soboty, niedziela niedzielę niedzieli""",
    units={
        "day0": "godzina godzinę godziny godzin minuta minutę minuty minut",
        "day": "dzień dni dnia dniu",
        "week": "tydzień tygodnie tygodni tygodniu tygodnia",
        "weekend": "weekend weekendy weekendzie",
        "month": "miesiąc miesiące miesięcy miesiącu miesiąca",
        "month6": "pół_roku",
        "month18": "półtora_roku",
        "year": "rok lata lat roku",
    },
    numbers="""jeden jedna jedną=1, dwa dwie dwóch=2, trzy trzech=3, cztery=4, pięć=5, sześć=6, siedem=7, osiem=8,
        dziewięć=9, dziesięć=10, dwanaście=12, piętnaście=15, dwadzieścia=20""",
    few="kilka kilku parę",
    which="""zeszły zeszłą zeszłe zeszłym zeszłego zeszłej ubiegły ubiegłym ubiegłego ubiegłą ubiegłej
        ostatni ostatnią ostatnim poprzedni poprzednim=-1, ten tę ta to tym tego tej=0,
        przyszły przyszłym przyszłą przyszłego przyszłej następny następnym następną następnego następnej=1""",
    named="""dzisiaj dziś dziś_rano dziś_wieczorem=0, wczoraj wczoraj_wieczorem poprzedniego_dnia=-1,
        przedwczoraj=-2, jutro=1, pojutrze=2, niedawno=-21..-1""",
    seasons="wiosna wiosną wiosnę wiosny, lato latem lata, jesień jesienią jesieni, zima zimą zimę zimy",
    parts="na_początku początek początku, w_połowie połowa, pod_koniec na_koniec koniec",
    ordinals="pierwszy pierwsza=1, drugi druga=2, trzeci trzecia=3, ostatni ostatnia=-1",
    since="od",
    future=r"\b(?:będę|będziesz|będzie|będziemy|będą|zamierzam|planuję|planujemy|chcę|wkrótce|przyszł\w+)\b",
    past=r"\b\w{2,12}(?:łem|łam|ł|ła|ło|li|ły|liśmy|łyśmy)\b",
    patterns=r"""
        nth {ord} (?:{unit}|{weekday}) {month}(?: {year})?
        date (?:od )?{day} ?(?:[-–—]|do) ?{day2} {month}(?: {year})?
        date (?:{weekday},? )?{day} {month}(?: {year})?
        date (?:{part} )?{month} {year}
        date {season} {year}
        date (?:od|w|do) {year}(?: roku)?
        date {part} {month}
        ago (?:około |prawie |ponad )?(?:{n} )?{unit} temu
        ahead za (?:około )?(?:{n} )?{unit}
        lasting (?:od|przez) (?:około |prawie |ponad )?(?:ostatnie |ostatnich )?{n} {unit}
        named {named}
        which (?:w |we )?{which} (?:{weekday}|{month}|{season}|{unit})
        which w {weekend}
        date (?:w|we|od|do|po|przed) {month}
        date (?:(?:w|we) )?(?<!każdy )(?<!każdą ){weekday}
        date {month}
        decade lata(?:ch)? {decade}
        date {year}(?! ?(?:[%€$]|złotych|zł|osób|metrów|kroków)\b)(?![.,:/-]\d)
        """,
    weak="maja lata lato",
)

LANGUAGE = language(
    "pl",
    "Polish",
    snowball="polish",
    scripts="Latin",
    questions="""kto kogo komu kim co czego czemu czym jaki jaka jakie jakiego jakiej jaką który która które
        którego której którą kiedy gdzie dokąd skąd dlaczego po_co jak ile ilu czyj czyja czyje""",
    pronouns="""ja mnie mi mną mój moja moje mojego mojej moją moich ty ciebie cię ci tobie tobą twój twoja
        twoje twojego twojej on jego go jemu mu nim ona jej ją nią niej ono my nas nam nami nasz nasza
        nasze wy was wam wami wasz wasza wasze oni one ich im nimi nich się siebie sobie sobą swój swoja
        swoje swojego swojej swoją to ten ta te ci tego tej temu tym tych tę tamten tamta tamto ktoś coś
        nikt nic""",
    others="""i a ale lub albo czy oraz jeśli jeżeli żeby aby bo ponieważ więc jak gdy kiedy choć chociaż że
        niech w we na z ze do od po pod nad przy o bez dla przez między wśród przed obok za u ku około
        wokół oprócz nie tak no tu tam tutaj teraz potem wtedy już jeszcze bardzo tylko nawet właśnie
        prawie całkiem po_prostu może można trzeba dobrze oczywiście chyba znowu zawsze nigdy czasem
        często też także również więcej mniej dużo mało trochę kilka tyle jest są być był była było byli
        były jestem jesteś jesteśmy będę będziesz będzie będziemy będą mam masz ma mamy macie mają miał
        miała mieli mieć mogę możesz może możemy mogą mógł mogła chcę chcesz chce chcą chciał chciała
        robić robi zrobił zrobiła mówi powiedział powiedziała wiem wie wiesz cały cała wszystko wszystkie
        wszyscy wszystkich jeden jedna jedno inny inna inne każdy każda każde taki taka takie sam sama
        samo dziękuję dzięki cześć hej proszę""",
    letters="łąęśćżźń",
    when_phrases=(
        r"kiedy\b.*\?",
        r"^\W*(?:od |do |i |a )?kiedy\b",
        r"jak (?:długo|dawno|szybko)\b",
        r"ile (?:czasu|dni|tygodni|miesięcy|lat|godzin)\b",
        r"(?:w )?któr(?:ego|ym|y|ej) (?:dnia|dniu|dzień|tygodniu|miesiącu|roku|rok|godzinie)\b",
        r"jak(?:iego|im|a) (?:dnia|dniu|data|datą|roku)\b",
    ),
    first_person=FirstPerson(
        "ja", "mój", endings=("a", "y", "i", "ie", "e", "ę", "ą", "o", "owi", "em", "iem", "u")
    ),
    times=TIMES,
)
