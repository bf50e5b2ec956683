"""Names in Chinese, Japanese and Korean, which have no capitals: by what is glued to them.

Conservative: an honorific, a well-known place, a company's form, the marks of a title.
"""
# ruff: noqa: E501 - these characters are two columns wide

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from ..entities import ORGANISATION, OTHER, PERSON, PLACE, TITLE
from .languages.names import PLACES_UNSPACED
from .naming import key_of
from .spots import Spot

UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]")

_HAN = "\u4e00-\u9fff\u3005"
_KATAKANA = "\u30a1-\u30fa\u30fc"
_HANGUL = "\uac00-\ud7af"

_SURNAMES = "王李张刘陈杨黄赵周吴徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严武戴莫孔向汤"
_KOREAN_SURNAMES = "김이박최정강조윤장임한오서신권황안송류전홍고문양손배백허유남심노하곽성차주우구민진지엄채원천방공현함변염여추도소석선설마길연위표명기반왕금옥육인맹제모탁국어"

# A place's or a person's name ends where one of these stands before it: particles and words of time.
# With an honorific these are no names: mother, brother, baby, the watchmaker; nor is a verb before くん.
_NO_NAME = re.compile("[母父兄姉弟妹娘息子婆爺赤客皆奥嫁旦那医者]+|.*[屋店員者官師]|[弾聞行書歩働動泣]")

_NOT_IN_A_NAME = (
    "昨日|今日|明日|先日|先週|今週|来週|毎日|毎週|去年|来年|友人|友達|同僚|上司|部下|彼女|彼氏|隣"
)

_QUOTED = re.compile("[『《〈]([^『』《》〈〉\n]{1,30})[』》〉]")
_LATIN = re.compile(r"(?<![A-Za-z])[A-Z][A-Za-z0-9&.-]*[A-Za-z0-9](?: [A-Z0-9][A-Za-z0-9&.-]*)*")
_ACRONYMS = frozenset("AI TV PC OK PDF USB URL ID FAQ HR SNS CEO".split())

_PATTERNS: dict[str, tuple[tuple[str, str, float], ...]] = {
    "ja": (
        (rf"(?P<name>[{_HAN}]{{1,4}}|[{_KATAKANA}]{{2,10}}|[{_HAN}][ぁ-ん]{{1,3}})"
         r"(?=さん|ちゃん|くん(?!れ)|君(?![がはを]?主)|様|先生|氏(?!名)|教授|部長|社長|課長)", PERSON, 3.0),
        (rf"(?P<name>[{_KATAKANA}]{{2,12}}・[{_KATAKANA}]{{2,12}}(?:・[{_KATAKANA}]{{2,12}})?)", PERSON, 2.0),
        (rf"(?P<name>株式会社[{_HAN}{_KATAKANA}]{{2,10}}|[{_HAN}{_KATAKANA}]{{2,10}}(?:株式会社|大学|銀行|病院|高校|出版))",
         ORGANISATION, 3.0),
        (rf"(?P<name>[{_HAN}]{{2,4}}(?:県|市|区|駅|町|村|府|都))(?![{_HAN}])", PLACE, 3.0),
        (rf"(?P<name>[{_KATAKANA}]{{3,12}})(?=(?:で働|に勤|で勤|に就職|に入社))", ORGANISATION, 2.0),
        (rf"(?P<name>[{_HAN}{_KATAKANA}]{{2,10}})(?=(?:に住|に引っ越|で生まれ|出身))", PLACE, 2.0),
    ),
    "zh": (
        (rf"(?P<name>[{_SURNAMES}][{_HAN}]{{0,2}})(?=先生|女士|小姐|老师|医生|教授|经理|博士|阿姨|叔叔|师傅)", PERSON, 3.0),
        (rf"(?P<name>[小老][{_SURNAMES}])(?![{_HAN}]{{0,1}}(?:时|说明|子|师|板|家))", PERSON, 2.0),
        (rf"(?:叫做|名叫|叫|是我的?(?:朋友|同事|妹妹|姐姐|哥哥|弟弟)|我的?(?:朋友|同事|妹妹|姐姐|哥哥|弟弟|女儿|儿子|妻子|丈夫|老板))"
         rf"(?P<name>[{_SURNAMES}][{_HAN}]{{1,2}})(?=[，。！？、在是和与跟住去有喜从说会了的也很\s]|$)", PERSON, 3.0),
        (rf"(?:^|(?<=[，。！？、\s和与跟]))(?P<name>[{_SURNAMES}][{_HAN}]{{1,2}}?)(?=在|是|住|和|与|跟|说|去了|喜欢|认识|嫁给|搬|来自|写了)",
         PERSON, 2.0),
        (rf"(?:(?<=[在去到从是的和与了向给为创立]))(?P<name>[{_HAN}]{{2,6}}?(?:公司|大学|银行|医院|集团|学院|中学))", ORGANISATION, 3.0),
        (rf"(?:(?<=住在|搬到|来自|去了|到了))(?P<name>[{_HAN}]{{2,3}})(?=[，。！？、\s]|$)", PLACE, 2.0),
    ),
    "ko": (
        (rf"(?<![{_HANGUL}])(?P<name>[{_KOREAN_SURNAMES}]?[{_HANGUL}]{{2,3}}) ?(?=씨|님(?!들)|선생님|교수님|박사|대표|부장|과장)", PERSON, 3.0),
        (rf"(?<![{_HANGUL}])(?P<name>[{_KOREAN_SURNAMES}][{_HANGUL}]{{2}})(?=(?:는|은|이|가|를|을|와|과|의|도|에게|한테|랑|하고)(?![{_HANGUL}]))",
         PERSON, 1.0),
        (rf"(?P<name>[{_HANGUL}A-Za-z]{{2,10}}(?:대학교|은행|병원|전자|그룹|주식회사|고등학교))", ORGANISATION, 3.0),
        (rf"(?<![{_HANGUL}])(?P<name>[{_HANGUL}]{{2,5}}(?:특별시|광역시|시|도|구|군))(?=에|에서|으로|로|의)", PLACE, 2.0),
    ),
}  # fmt: skip


def unspaced_spots(text: str, code: str) -> Iterator[Spot]:
    """The names in a text of one of these scripts."""
    if code not in _PATTERNS or not UNSPACED.search(text):
        return
    for found in _QUOTED.finditer(text):
        yield _spot(found.start(1), found[1], TITLE, 3.0)
    for found in _places().finditer(text):
        yield _spot(found.start(), found[0], PLACE, 3.0)
    for pattern, kind, weight in _compiled(code):
        for found in pattern.finditer(text):
            yield from _trimmed(found.start("name"), found["name"], kind, weight)
    for found in _LATIN.finditer(text):
        if found[0] not in _ACRONYMS and len(found[0]) > 1:
            yield _spot(found.start(), found[0], OTHER, 0.0)


def _trimmed(start: int, name: str, kind: str, weight: float) -> Iterator[Spot]:
    """A name without the word of time or of kin that is written in one run with it."""
    while glued := re.match(_NOT_IN_A_NAME, name):
        start, name = start + glued.end(), name[glued.end() :]
    if name and not (kind == PERSON and _NO_NAME.fullmatch(name)):
        yield _spot(start, name, kind, weight)


def _spot(start: int, name: str, kind: str, weight: float) -> Spot:
    return Spot(start, start + len(name), name, key_of(name), kind, weight)


@cache
def _compiled(code: str) -> tuple[tuple[re.Pattern[str], str, float], ...]:
    return tuple((re.compile(pattern), kind, weight) for pattern, kind, weight in _PATTERNS[code])


@cache
def _places() -> re.Pattern[str]:
    names = sorted(PLACES_UNSPACED, key=lambda name: (-len(name), name))
    return re.compile("|".join(names))
