"""Names in Chinese."""
# ruff: noqa: E501 - these characters are two columns wide

from .table import name_words

WORDS = name_words(
    kin="""妹妹=sister, 姐姐=sister, 哥哥=brother, 弟弟=brother, 母亲=mother, 妈妈=mother, 父亲=father, 爸爸=father,
        儿子=son, 女儿=daughter, 妻子=wife, 太太=wife, 丈夫=husband, 朋友=friend, 同事=colleague, 老板=boss, 老师=teacher,
        女朋友=girlfriend, 男朋友=boyfriend, 表哥=cousin, 表妹=cousin""",
    macros={"hon": "(?:先生|女士|小姐|老师|医生|教授|经理|博士|阿姨|叔叔)?"},
    sayings=r"""
        {kin}_of {a}{hon}是{b}{hon}的{kin}
        works_at {a}{hon}(?:现在)?在{b}(?:工作|上班|任职)
        works_for {a}{hon}(?:现在)?为{b}工作
        lives_in {a}{hon}(?:现在)?住在{b}
        lives_in {a}{hon}搬(?:到|去)(?:了)?{b}
        lives_in {a}{hon}(?:现在)?在{b}(?:生活|居住)
        comes_from {a}{hon}(?:是从|来自|是){b}(?:人|来的)?$
        knows {a}{hon}认识{b}
        married_to {a}{hon}(?:和|与|跟){b}{hon}结(?:了)?婚
        married_to {a}{hon}嫁给(?:了)?{b}
        studies_at {a}{hon}(?:现在)?在{b}(?:学习|读书|上学|教书)
        works_with {a}{hon}(?:和|与|跟){b}{hon}一起工作
        met {a}{hon}(?:见到|遇见|遇到)(?:了)?{b}
        visited {a}{hon}去(?:了|过)?{b}
        wrote {a}{hon}写(?:了)?{b}
        founded {a}{hon}(?:创立|创办|成立)(?:了)?{b}
        """,
)
