"""Search by words in a SQLite file: FTS5 gives the postings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from . import words
from .driver import fetched
from .packed import Int64s, numbers
from .sql import as_ids
from .word_search import WordSearch

if TYPE_CHECKING:
    from apsw import Connection


@dataclass(frozen=True, slots=True)
class SQLiteWordSearch(WordSearch):
    """A search in what ``db`` holds."""

    db: Connection

    def _frequencies(self, *, archived: bool | None) -> Mapping[str, int]:
        tokens = dict.fromkeys(token for term in self.terms for token in term)
        asked = [
            (token, *stretch)
            for token in tokens
            for stretch in words.stretches(token, self.reach, archived=archived)
        ]
        rows = fetched(
            self.db,
            "SELECT j.value ->> 0, sum(c.doc) FROM json_each(:asked) j CROSS JOIN word_counts c"
            " ON c.term >= j.value ->> 1 AND c.term <= j.value ->> 2 GROUP BY 1",
            {"asked": as_ids(asked)},
        )
        return {**dict.fromkeys(tokens, 0), **{str(token): int(count) for token, count in rows}}

    def _postings(
        self, asked: list[tuple[str, ...]], *, within: list[tuple[str, ...]] | None = None
    ) -> list[Int64s]:
        sql = "SELECT group_concat(rowid) FROM words WHERE words MATCH :match"
        also = f" AND ({' OR '.join(map(self._match, within))})" if within else ""
        return [numbers(self.db, sql, {"match": f"({self._match(tokens)}){also}"}) for tokens in asked]

    def _match(self, tokens: tuple[str, ...]) -> str:
        return " OR ".join(words.phrase(token, self.reach, archived=self.archived) for token in tokens)

    def _fulfilling(self, keys: Mapping[int, float]) -> list[tuple[int, int]]:
        sql = (
            "SELECT p.key, p.length FROM json_each(:keys) j CROSS JOIN passages p ON p.key = j.value"
            f" CROSS JOIN entries e ON e.seq = p.entry WHERE {self.conditions.sql}"
        )
        rows = fetched(self.db, sql, {**self.conditions.params, "keys": as_ids(list(keys))})
        return [(key, length) for key, length in rows]
