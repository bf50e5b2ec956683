"""Search by words on PostgreSQL: a table of postings, led by tenant and token."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from .postgres_driver import Link
from .sql import Params
from .word_search import Int64s, WordSearch
from .words import final


@dataclass(frozen=True, slots=True)
class PostgresWordSearch(WordSearch):
    """A search in what ``db`` holds; ``codes`` are the scopes that may be seen."""

    db: Link
    codes: list[int]

    def _frequencies(self, *, archived: bool | None) -> Mapping[str, int]:
        tokens = dict.fromkeys(token for term in self.terms for token in term)
        rows = self.db.rows(
            f"SELECT w.token, count(*) FROM words w WHERE {self._within(archived)}"
            " AND w.token = ANY(:tokens::text[]) GROUP BY w.token",
            self._params(tokens=[token for token in tokens if final(token)]),
        )
        return {**dict.fromkeys(tokens, 0), **dict(rows)}

    def _postings(
        self, asked: list[tuple[str, ...]], *, within: list[tuple[str, ...]] | None = None
    ) -> list[Int64s]:
        named = [(token, number) for number, term in enumerate(asked) for token in term]
        also = "" if within is None else (
            " AND EXISTS (SELECT 1 FROM words o WHERE o.tenant_id = w.tenant_id AND o.key = w.key"
            " AND o.token = ANY(:also::text[]))"
        )  # fmt: skip
        rows = self.db.rows(
            "SELECT t.number, array_agg(w.key)"
            " FROM unnest(:tokens::text[], :numbers::integer[]) t (token, number)"
            f" JOIN words w ON w.token = t.token AND {self._within(self.archived)}{also} GROUP BY t.number",
            self._params(
                tokens=[token for token, _ in named],
                numbers=[number for _, number in named],
                also=[token for term in within or () for token in term],
            ),
        )
        found = {number: np.unique(np.array(keys, np.int64)) for number, keys in rows}
        return [found.get(number, np.empty(0, np.int64)) for number in range(len(asked))]

    def _fulfilling(self, keys: Mapping[int, float]) -> list[tuple[int, int]]:
        rows = self.db.rows(
            "SELECT p.key, p.length FROM passages p"
            " JOIN entries e ON e.tenant_id = p.tenant_id AND e.seq = p.entry"
            " WHERE p.tenant_id = :tenant_id AND p.key = ANY(:keys::bigint[])"
            f" AND {self.conditions.sql}",
            self._params(keys=list(keys)),
        )
        return [(key, length) for key, length in rows]

    def _params(self, **params: object) -> Params:
        return {**self.conditions.params, "codes": self._codes(), **params}

    def _codes(self) -> list[int]:
        return [*self.codes, *(-code for code in self.codes)]

    def _within(self, archived: bool | None) -> str:
        """The rows of the scope: live ones have their scope's number, archived ones its negative."""
        shelf = {False: " AND w.scope > 0", True: " AND w.scope < 0", None: ""}[archived]
        if self.reach.everyone:
            return f"w.tenant_id = :tenant_id{shelf}"
        return f"w.tenant_id = :tenant_id AND w.scope = ANY(:codes::bigint[]){shelf}"
