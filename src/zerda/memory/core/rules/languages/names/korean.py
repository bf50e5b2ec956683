"""Names in Korean."""
# ruff: noqa: E501 - these characters are two columns wide

from .table import name_words

WORDS = name_words(
    kin="""여동생=sister, 누나=sister, 언니=sister, 동생=sibling, 남동생=brother, 형=brother, 오빠=brother, 어머니=mother,
        엄마=mother, 아버지=father, 아빠=father, 아들=son, 딸=daughter, 아내=wife, 남편=husband, 친구=friend, 동료=colleague,
        상사=boss, 선생님=teacher, 여자친구=girlfriend, 남자친구=boyfriend, 사촌=cousin""",
    macros={"ssi": "(?: ?씨| ?님| 선생님| 교수님| 박사)?"},
    sayings=r"""
        {kin}_of {a}{ssi}(?:는|은|이|가) {b}{ssi}의 {kin}
        works_at {a}{ssi}(?:는|은|이|가) {b}에서 (?:일|근무)
        works_at {a}{ssi}(?:는|은|이|가) {b}에 다
        lives_in {a}{ssi}(?:는|은|이|가) {b}에(?:서)? (?:산|살|삽|거주)
        lives_in {a}{ssi}(?:는|은|이|가) {b}(?:으로|로) 이사
        comes_from {a}{ssi}(?:는|은|이|가) {b} 출신
        knows {a}{ssi}(?:는|은|이|가) {b}{ssi}(?:를|을) (?:안|알|압)
        married_to {a}{ssi}(?:는|은|이|가) {b}{ssi}(?:와|과|랑|하고) 결혼
        works_with {a}{ssi}(?:는|은|이|가) {b}{ssi}(?:와|과|랑|하고) (?:함께 |같이 )?일
        met {a}{ssi}(?:는|은|이|가) {b}{ssi}(?:를|을) 만
        visited {a}{ssi}(?:는|은|이|가) {b}{ssi}(?:를|을|에) (?:방문|갔|다녀)
        """,
)
