"""Turkish."""
# ruff: noqa: E501 - a template is one line

from .table import FirstPerson, language, time_words

TIMES = time_words(
    months="""ocak ocakta, şubat şubatta, mart martta, nisan nisanda, mayıs mayısta, haziran haziranda,
        temmuz temmuzda, ağustos ağustosta, eylül eylülde, ekim ekimde, kasım kasımda, aralık aralıkta""",
    weekdays="pazartesi, salı, çarşamba, perşembe, cuma, cumartesi, pazar",
    units={
        "day0": "saat dakika saniye",
        "day": "gün gündür",
        "week": "hafta haftadır",
        "weekend": "hafta_sonu haftasonu",
        "month": "ay aydır",
        "year": "yıl sene yıldır senedir",
    },
    numbers="""bir=1, iki=2, üç=3, dört=4, beş=5, altı=6, yedi=7, sekiz=8, dokuz=9, on=10, on_iki=12, on_beş=15,
        yirmi=20, otuz=30""",
    few="birkaç",
    which="geçen geçtiğimiz önceki=-1, bu=0, gelecek önümüzdeki sonraki=1",
    named="""bugün bu_sabah bu_akşam bu_gece=0, dün dün_gece dün_akşam bir_önceki_gün=-1,
        evvelsi_gün önceki_gün=-2, yarın=1, öbür_gün=2, geçen_gün=-7..-1""",
    seasons="ilkbahar bahar, yaz, sonbahar güz, kış",
    parts="başında başı, ortasında ortası, sonunda sonu",
    weak="ocak pazar yaz ekim salı",
    future=r"\b\w{2,14}(?:acak|ecek|acağım|eceğim|acağız|eceğiz|acaklar|ecekler)\b|\b(?:planlıyor\w*|gelecek)\b",
    past=r"\b\w{2,14}(?:dım|dim|dum|düm|tım|tim|tum|tüm|dık|dik|duk|dük|tık|tik|tuk|tük|dı|di|du|dü|tı|ti|tu|tü)\b",
    patterns=r"""
        date {day} ?[-–—] ?{day2} {month}(?: {year})?
        date {day} {month}(?: {year})?(?: {weekday})?
        date {month} {year}
        date {year} {month}
        date {year} {season}(?:ı|ında|inda)?
        ago (?:yaklaşık )?{n} {unit} önce
        ahead {n} {unit} sonra
        lasting {n} {unit}(?<=dır|dir|dur|dür)
        lasting son {n} {unit}
        named {named}
        which {which} {unit} {month}(?:ta|te|da|de)?
        which {which} (?:{weekday}|{season}|{month})
        which {which} {unit}
        which {weekend}(?:nda|nu)?
        date {month}[’']?(?:ta|te|da|de|tan|ten|dan|den)
        date {weekday}(?: günü)?
        date {month} ayında
        date {month}
        date {year}(?! ?(?:[%€$₺]|lira|kişi|metre|adım)\b)(?![.,:/-]\d)
        """,
)

LANGUAGE = language(
    "tr",
    "Turkish",
    snowball="turkish",
    scripts="Latin",
    questions="""kim kimi kime kimin ne neyi neye neden niçin niye nasıl nerede nereye nereden nere hangi
        hangisi kaç zaman mı mi mu mü""",
    pronouns="""ben beni bana benim bende benden sen seni sana senin sende senden o onu ona onun onda ondan
        biz bizi bize bizim siz sizi size sizin onlar onları onlara onların kendi kendisi kendim bu bunu
        buna bunun bunlar şu şunu şunun şunlar biri birisi kimse herkes hiçbiri hepsi şey bir_şey""",
    others="""bir ve veya ya da de ki ama fakat ancak lakin çünkü eğer ise ile için gibi kadar göre karşı
        rağmen doğru sonra önce beri dolayı üzere hem yani oysa üstelik ayrıca hatta değil var yok evet
        hayır çok az daha en pek hep hiç her bazı bütün tüm birkaç birçok diğer başka aynı böyle şöyle
        öyle şimdi hemen artık hâlâ bile sadece yalnız yalnızca belki galiba tabii zaten işte burada
        orada şurada içinde üzerinde altında yanında arasında tarafından hakkında idi imiş iken olan
        olarak oldu olduğu olur olmak olmuş olacak olsa etti etmek eder yaptı yapmak yapar dedi demek der
        diye miyim misin miyiz musun mısın midir tamam merhaba selam teşekkür teşekkürler lütfen peki""",
    letters="ığşİçöü",
    when_phrases=(
        r"ne zaman\w*\b",
        r"ne kadar (?:sure|zaman)\w*\b",
        r"kaç (?:gün|hafta|ay|yıl|sene|saat)\w*\b",
        r"hangi (?:gün|tarih|hafta|ay|yıl|sene|mevsim)\w*\b",
        r"saat kaç\w*\b",
    ),
    question_ends="""mı mi mu mü misin mısın musun müsün misiniz mısınız musunuz müsünüz miyim mıyım miyiz
        mıyız""",
    first_person=FirstPerson(
        "ben", "benim", suffixes=("'nin", "'nın", "'nun", "'nün", "'in", "'ın", "'un", "'ün")
    ),
    times=TIMES,
)
