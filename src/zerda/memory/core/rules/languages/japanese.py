"""Japanese."""

from zerda.memory.core.rules.languages.table import FirstPerson, language

# Words are indexed as bigrams and single characters, so the list has both.
LANGUAGE = language(
    "ja",
    "Japanese",
    scripts="Hiragana Katakana Han",
    questions="""誰 だれ 何 なに なん いつ どこ どれ どの どんな どう どうして なぜ 何故 なんで いくつ いくら どちら どっち どなた か かな""",
    pronouns="""私 わたし 僕 ぼく 俺 おれ あなた 君 きみ 彼 彼女 彼ら 私たち 我々 自分 これ それ あれ この その あの ここ そこ あそこ こちら そちら
        あちら こう そう ああ みんな""",
    others="""の は が を に へ と で も や から まで より ね よ わ さ し て た だ です ます でした ました ません ない なかった
        する した して している します しました いる いた います ある あった あります なる なった なり れる られる せる させる
        こと もの ところ とき ため よう ほう わけ はず つもり など くらい ぐらい だけ しか ばかり ほど でも しかし けど けれど
        だから それで そして また まだ もう とても すごく ちょっと たぶん もし たら なら れば ので のに という って
        っと った いま まし した んで です すか ます ませ せん てい いる った って なっ など かっ うか ので のは のが には では とは とか
        や お ご さん ちゃん くん 様 はい いいえ うん ありがとう
        う い あ え お る れ ら り く け き っ ん ま ば べ""",
    when_phrases=(
        r"いつ",
        r"何時|何日|何月|何年|何曜日|何週間?|何ヶ月|何か月|何カ月|何時間",
        r"どのくらい|どれくらい|どれぐらい|どのぐらい",
        r"(?:日付|日時|時期)は",
    ),
    question_ends="か かな のか",
    first_person=FirstPerson("私", "私の", suffixes=("の",), titles=("さん", "ちゃん", "くん", "君", "様", "さま", "先生")),
)
