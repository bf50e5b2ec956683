"""Polish: words, no times yet."""

from .table import FirstPerson, language

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
)
