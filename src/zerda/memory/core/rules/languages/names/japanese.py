"""Names in Japanese."""
# ruff: noqa: E501 - these characters are two columns wide

from .table import name_words

WORDS = name_words(
    kin="""妹=sister, 姉=sister, お姉さん=sister, 妹さん=sister, 兄=brother, 弟=brother, お兄さん=brother, 弟さん=brother,
        母=mother, お母さん=mother, 父=father, お父さん=father, 息子=son, 息子さん=son, 娘=daughter, 娘さん=daughter,
        妻=wife, 奥さん=wife, 夫=husband, ご主人=husband, 友達=friend, 友人=friend, 同僚=colleague, 上司=boss, 先生=teacher,
        彼女=girlfriend, 彼氏=boyfriend, いとこ=cousin""",
    macros={"san": "(?:さん|ちゃん|くん|君|様|先生|氏|教授|部長|社長|課長)?"},
    sayings=r"""
        {kin}_of {a}{san}(?:は|が){b}{san}の{kin}
        works_at {a}{san}(?:は|が)(?:今)?{b}(?:で|に)(?:働|勤)
        lives_in {a}{san}(?:は|が)(?:今)?{b}に(?:住|引っ越|暮ら)
        lives_in {a}{san}(?:は|が)(?:今)?{b}で暮ら
        comes_from {a}{san}(?:は|が){b}(?:出身|から来)
        knows {a}{san}(?:は|が){b}{san}を(?:よく)?知
        married_to {a}{san}(?:は|が){b}{san}と結婚
        married_to {a}{san}と{b}{san}は結婚
        studies_at {a}{san}(?:は|が){b}で(?:\w{1,10}を)?(?:学|勉強|教え)
        works_with {a}{san}(?:は|が){b}{san}と(?:一緒に)?働
        met {a}{san}(?:は|が){b}{san}(?:に|と)会
        visited {a}{san}(?:は|が){b}(?:を訪|に行|へ行)
        wrote {a}{san}(?:は|が){b}を書
        founded {a}{san}(?:は|が){b}を(?:設立|創業)
        uses {a}{san}(?:は|が){b}を使
        """,
)
