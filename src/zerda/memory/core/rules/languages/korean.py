"""Korean."""

from .table import FirstPerson, language, time_words

TIMES = time_words(
    months="",
    weekdays="월요일, 화요일, 수요일, 목요일, 금요일, 토요일, 일요일",
    units={
        "day0": "시간 분",
        "day": "일 날",
        "week": "주일 주",
        "weekend": "주말",
        "month": "개월 달",
        "year": "년 해",
    },
    numbers="""한 일=1, 두 이=2, 세 삼=3, 네 사=4, 다섯 오=5, 여섯 육=6, 일곱 칠=7, 여덟 팔=8, 아홉 구=9,
        열 십=10""",
    few="몇",
    which="지난 저번 작=-1, 이번 올 금=0, 다음 내=1, 재작 지지난=-2, 다다음=2",
    named="""오늘 오늘밤 오늘_아침 오늘_저녁=0, 어제 어젯밤 전날=-1, 그저께 그제 엊그제=-2, 내일=1, 모레=2,
        며칠_전 얼마_전=-7..-1""",
    seasons="봄, 여름, 가을, 겨울",
    parts="초, 중순, 말",
    holidays="크리스마스 성탄절=12-25, 설날=1-1",
    future="[을갈할될릴] ?(?:거|것|예정|계획)|겠|려고",
    past="[았었했갔왔렸됐졌봤샀]",
    patterns=r"""
        date {year}년 ?{mon}월 ?{day}일
        date {mon}월 ?{day}일
        date {year}년 ?{mon}월(?: ?{part})?
        date {year}년 ?{season}
        date {year}년
        which {which} ?{unit} ?{mon}월
        which {which} ?{unit} ?{season}
        which {which} ?{week} ?{weekday}
        named {named}
        ago {n} ?{unit} ?전
        ahead {n} ?{unit} ?(?:후|뒤)
        which {which} ?{weekend}
        which {which} ?(?:{weekday}|{season})
        which {which} ?{unit}
        lasting {n} ?{unit} ?(?:동안|째|넘게)
        date {weekday}
        which {weekend}
        date {mon}월(?: ?{part})?
        holiday {holiday}
        """,
)

LANGUAGE = language(
    "ko",
    "Korean",
    scripts="Hangul",
    questions="""누구 누가 누구의 무엇 무엇을 뭐 뭘 언제 어디 어디서 어디에 어디로 왜 어떻게 얼마 얼마나 몇
        어느 어떤 무슨""",
    pronouns="""나 나는 내 내가 나를 나의 저 저는 제 제가 저의 너 너는 네 네가 너의 당신 그 그는 그가 그의
        그녀 그녀는 우리 우리는 우리의 저희 너희 그들 이 이것 그것 저것 이거 그거 저거 여기 거기 저기
        자기 자신 누군가 아무도""",
    others="""은 는 이 가 을 를 에 에서 에게 한테 의 도 만 와 과 하고 로 으로 부터 까지 보다 처럼 이나 나
        라고 고 며 면 서 지만 그리고 그러나 하지만 그래서 그런데 또는 또 그러면 만약 때문에 위해 대해
        대한 통해 있다 있는 있어 있었다 있어요 있습니다 없다 없는 없어 없어요 하다 하는 했다 해 해요
        합니다 했어 했어요 되다 된 됐다 돼요 이다 입니다 이에요 예요 였다 아니다 아니 않다 안 못 수 것 거
        등 및 더 가장 매우 너무 아주 정말 진짜 좀 잘 다 다시 이미 아직 항상 늘 자주 가끔 모두 모든 다른
        같은 같이 함께 이런 그런 저런 네 예 응 아니요 안녕 감사 고마워""",
    when_phrases=(
        r"언제",
        r"몇 ?(?:일|월|년|주|달|개월|시|시간|요일)",
        r"(?:무슨|어느) ?(?:요일|날|달|해|주|계절)",
        r"얼마나 ?(?:오래|걸|자주|동안)",
        r"며칠|날짜",
    ),
    question_ends="까 까요 나요 은가요 인가요 는가요 한가요 던가요 는가 인가",
    first_person=FirstPerson(
        "나", "내", suffixes=("의",), titles=("씨", "님", "이", "가", "은", "는", "를", "을")
    ),
    times=TIMES,
)
