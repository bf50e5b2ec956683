"""Turkish: words, no times yet."""

from .table import FirstPerson, language

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
    letters="ığşİ",
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
)
