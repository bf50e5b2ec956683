"""Chinese, in both scripts."""
# ruff: noqa: E501 - a template is one line

from .table import FirstPerson, language, time_words

# Words are indexed as bigrams and single characters, so the list has both.
TIMES = time_words(
    months="一月, 二月, 三月, 四月, 五月, 六月, 七月, 八月, 九月, 十月, 十一月, 十二月",
    weekdays="一, 二, 三, 四, 五, 六, 日 天",
    units={
        "day0": "小时 小時 分钟 分鐘 钟头 鐘頭",
        "day": "天 日",
        "week": "周 週 星期 礼拜 禮拜",
        "weekend": "周末 週末",
        "month": "月",
        "month6": "半年",
        "year": "年",
    },
    numbers="一=1, 二 两 兩=2, 三=3, 四=4, 五=5, 六=6, 七=7, 八=8, 九=9, 十=10",
    few="几 幾 数 數 好几 好幾",
    which="上 上个 上個 去 上一 上一个 上一個=-1, 这 這 这个 這個 本 今=0, 下 下个 下個 明 下一 下一个 下一個=1, 前 上上 上上个 上上個=-2, 后 後 下下 下下个 下下個=2",
    named="""今天 今日 今晚 今早 今天早上 今天晚上 今晨=0, 昨天 昨日 昨晚 昨夜 昨天晚上 前一天=-1, 前天=-2, 大前天=-3,
        明天 明日 明晚 明早=1, 后天 後天=2, 大后天 大後天=3, 前几天 前幾天 前些天 前两天 前兩天 前些日子=-7..-1""",
    seasons="春天 春季 春, 夏天 夏季 夏, 秋天 秋季 秋, 冬天 冬季 冬",
    parts="初 上旬, 中旬 中, 底 末 下旬",
    future="会|會|将|將|要去|打算|计划|計劃|准备|準備|下次",
    past="了|过|過|曾",
    holidays="圣诞节 聖誕節 圣诞 聖誕=12-25, 元旦=1-1, 情人节 情人節=2-14, 国庆节 國慶節 国庆=10-1",
    patterns=r"""
        date {year}年{mon}月{day}[日号號](?:[-–—~至到]{day2}[日号號])?
        date {mon}月{day}[日号號]?[-–—~至到]{day2}[日号號]
        date {year}年(?:的)?{mon}月(?:份)?{part}?
        date {year}年(?:的)?{season}
        date {year}年?{part}?
        which {which}{unit}{mon}月(?:份)?
        which {which}{unit}的?{season}
        which {which}{unit}{day}[日号號]
        date {mon}月{day}[日号號]
        named {named}
        ago {n}[个個]?(?:多)?{unit}(?:之|以)?前
        ahead {n}[个個]?{unit}(?:之|以)?[后後]
        which {which}{weekend}
        which {which}{week}{weekday}
        which {which}{unit}{part}?
        date (?<![每个個]){week}{weekday}
        which (?<![每]){weekend}
        lasting (?:过去|過去|最近|近|已经|已經|有|了)(?:的)?{n}[个個]?{unit}
        lasting {n}[个個]?{unit}(?:了|以来|以來|多)
        date {mon}月(?:份)?{part}?(?![个個])
        holiday {holiday}
        """,
)

LANGUAGE = language(
    "zh",
    "Chinese",
    scripts="Han",
    questions="""谁 誰 什么 什麼 甚麼 啥 哪 哪里 哪裡 哪裏 哪儿 哪兒 哪个 哪個 哪些 何时 何時 几 幾 几时
        什么时候 多少 多久 怎么 怎麼 怎样 怎樣 为什么 為什麼 为何 為何 如何 吗 嗎 呢 何""",
    pronouns="""我 我们 我們 我的 你 你们 你們 你的 您 您的 他 他们 他們 他的 她 她们 她們 她的 它 它们 它們
        咱 咱们 自己 这 這 这个 這個 这些 這些 这里 這裡 那 那个 那個 那些 那里 那裡 某 大家 别人 別人
        有人""",
    others="""的 了 着 著 过 過 地 得 是 在 有 没 没有 沒 沒有 不 不是 也 都 就 还 還 还是 還是 又 再 很 太
        更 最 非常 只 只是 才 已 已经 已經 曾 曾经 会 會 能 可以 可 要 想 应该 應該 必须 必須 把 被 让 讓
        给 給 对 對 从 從 到 向 往 跟 和 与 與 及 或 或者 而 而且 但 但是 因为 因為 所以 如果 虽然 雖然
        然后 然後 于是 於是 为 為 为了 為了 以 于 於 之 其 等 比 像 关于 關於 吧 啊 呀 哦 嗯 哈 啦 嘛 个
        個 些 一个 一個 一些 一 上 下 里 裡 中 来 來 去 说 說 做 点 點 样 樣 时 時 时候 時候 事 东西 東西
        这样 這樣 那样 那樣 怎 么 麼 们 們 什 请 請 谢谢 謝謝 你好 好""",
    when_phrases=(
        r"(?:什么|什麼|甚麼|啥)(?:时候|時候|时间|時間|日子)",
        r"何时|何時|几时|幾時|多久|多长时间|多長時間",
        r"(?:几|幾|哪一?|多少)(?:个|個)?(?:天|日|号|號|周|週|星期|礼拜|禮拜|月|年|点|點|季)",
        r"哪(?:一)?(?:天|日|年|个月|個月|周|週)",
        r"(?:日期|时间|時間)是",
    ),
    question_ends="吗 嗎 呢",
    first_person=FirstPerson("我", "我的", suffixes=("的",), titles=("先生", "小姐", "女士", "老师", "老師")),
    times=TIMES,
)
