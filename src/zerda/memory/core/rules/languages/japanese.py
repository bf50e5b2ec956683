"""Japanese."""
# ruff: noqa: E501 - a template is one line

from .table import FirstPerson, language, time_words

# Words are indexed as bigrams and single characters, so the list has both.
TIMES = time_words(
    months="一月, 二月, 三月, 四月, 五月, 六月, 七月, 八月, 九月, 十月, 十一月, 十二月",
    weekdays="月曜日 月曜, 火曜日 火曜, 水曜日 水曜, 木曜日 木曜, 金曜日 金曜, 土曜日 土曜, 日曜日 日曜",
    units={
        "day0": "時間 分",
        "day": "日 日間",
        "week": "週間 週",
        "weekend": "週末",
        "month": "ヶ月 か月 カ月 ヵ月 箇月 月",
        "month6": "半年",
        "year": "年 年間",
    },
    numbers="一=1, 二=2, 三=3, 四=4, 五=5, 六=6, 七=7, 八=8, 九=9, 十=10",
    few="数 何",
    which="先 去 昨 前の 前 この前の この間の=-1, 今 この=0, 来 次の 今度の=1, 先々 先先 一昨=-2, 再来=2",
    named="""今日 きょう 今朝 今夜 今晩=0, 昨日 きのう 昨夜 昨晩 ゆうべ 前日=-1, 一昨日 おととい=-2, 明日 あした 明朝=1,
        明後日 あさって=2, 先日 この間 こないだ=-14..-1""",
    seasons="春, 夏, 秋, 冬",
    parts="初め 始め 上旬 頭, 中旬 半ば, 末 下旬 終わり",
    future="つもり|予定|でしょう|だろう|ましょう|たいです|たい|来る",
    past="ました|でした|だった|った|んだ|した",
    holidays="クリスマスイブ=12-24, クリスマス=12-25, 元日 元旦 正月 お正月=1-1, 大晦日=12-31, バレンタインデー バレンタイン=2-14, ハロウィン=10-31",
    patterns=r"""
        decade {decade}年代
        date {year}年の?{mon}月{day}日(?:[-–—~〜～から]{1,2}{day2}日)?
        date {mon}月{day}日?[-–—~〜～]{day2}日
        date {year}年の?{mon}月の?{part}?
        date {year}年の?{season}
        date {year}年の?{part}?
        which {which}{unit}の?{mon}月
        which {which}{unit}の?{season}
        which {which}{unit}の?{day}日
        which {which}{week}の?{weekday}
        date {mon}月{day}日
        named {named}
        ago {n}{unit}(?:ほど|くらい|ぐらい)?(?:も)?前
        ahead {n}{unit}後
        which {which}{weekend}
        which {which}(?:{weekday}|{season})
        which {which}{unit}(?:の?{part})?
        lasting {n}{unit}(?:間)?(?:も|ずっと|ほど|以上)
        lasting (?:過去|ここ|この){n}{unit}
        date (?<!毎週){weekday}
        which (?<!毎){weekend}
        date {mon}月の?{part}?
        holiday {holiday}
        """,
)

LANGUAGE = language(
    "ja",
    "Japanese",
    scripts="Hiragana Katakana Han",
    questions="""誰 だれ 何 なに なん いつ どこ どれ どの どんな どう どうして なぜ 何故 なんで いくつ
        いくら どちら どっち どなた か かな""",
    pronouns="""私 わたし 僕 ぼく 俺 おれ あなた 君 きみ 彼 彼女 彼ら 私たち 我々 自分 これ それ あれ この
        その あの ここ そこ あそこ こちら そちら あちら こう そう ああ みんな""",
    others="""の は が を に へ と で も や から まで より ね よ わ さ し て た だ です ます でした ました
        ません ない なかった する した して している します しました いる いた います ある あった
        あります なる なった なり れる られる せる させる こと もの ところ とき ため よう ほう わけ はず
        つもり など くらい ぐらい だけ しか ばかり ほど でも しかし けど けれど だから それで そして また
        まだ もう とても すごく ちょっと たぶん もし たら なら れば ので のに という って っと った いま
        まし した んで です すか ます ませ せん てい いる った って なっ など かっ うか ので のは のが
        には では とは とか や お ご さん ちゃん くん 様 はい いいえ うん ありがとう う い あ え お る れ
        ら り く け き っ ん ま ば べ""",
    when_phrases=(
        r"いつ",
        r"何時|何日|何月|何年|何曜日|何週間?|何ヶ月|何か月|何カ月|何時間",
        r"どのくらい|どれくらい|どれぐらい|どのぐらい",
        r"(?:日付|日時|時期)は",
    ),
    question_ends="すか んか たか のか うか るか いか かな かしら",
    first_person=FirstPerson(
        "私", "私の", suffixes=("の",), titles=("さん", "ちゃん", "くん", "君", "様", "さま", "先生")
    ),
    times=TIMES,
)
