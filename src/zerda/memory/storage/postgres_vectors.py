"""Search by vectors on PostgreSQL: every row of a small scope, an index of neighbours for a large one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..core.model import VectorHits
from ..errors import InvalidInput
from .postgres_driver import Link, halfvec
from .sql import Params, Where

if TYPE_CHECKING:
    from .sql import Reach

Floats = NDArray[np.float32]

EXACT_ROWS = 20_000
"""Up to so many vectors in a scope each is compared: some 15 ms, about what an index of neighbours takes."""

SPARE = 50
"""Rows scored exactly beyond those asked for: the database's order is that of a query in half precision."""

WIDER = 4
"""How much further to look where conditions leave too few: asking for all that they allow costs far more."""

BACKGROUND_ROWS = 1_024  # A sample of this size tells a mean within .03 of a standard deviation.

INDEX_FROM = 50_000
"""Rows of the whole table from which an index of neighbours is worth its upkeep."""

MOST_DIMENSIONS = 4_000  # What HNSW takes of a halfvec.


def index_name(code: int | str) -> str:
    """The index of one fingerprint's vectors."""
    return f"vectors_near_{code}"


def near_index(code: int, dimensions: int) -> str:
    """The statement that makes the index; others go on writing meanwhile."""
    return (
        f"CREATE INDEX CONCURRENTLY IF NOT EXISTS {index_name(code)} ON vectors"
        f" USING hnsw ((vector::halfvec({dimensions:d})) halfvec_ip_ops) WHERE fingerprint = {code:d}"
    )


@dataclass(frozen=True, slots=True)
class VectorSearch:
    """One search; ``codes`` are the scopes that may be seen."""

    db: Link
    reach: Reach
    codes: list[int]
    vector: Floats
    fingerprint: str
    conditions: Where
    archived: bool | None
    limit: int

    def run(self) -> VectorHits:
        """The nearest that fulfil the conditions, and how the scope's vectors lie to the query."""
        sql = "SELECT code, dimensions FROM fingerprints WHERE name = :name"
        for code, dimensions in self.db.rows(sql, {"name": self.fingerprint}):
            if self.vector.shape != (dimensions,):
                raise InvalidInput(
                    f"the vector has the shape {self.vector.shape}; it has {dimensions} numbers"
                )
            return VectorHits(self._hits(code, dimensions), *self._background(code))
        return VectorHits()

    def _hits(self, code: int, dimensions: int) -> tuple[tuple[int, float], ...]:
        if self._is_large(code):
            for wanted in (self.limit + SPARE, WIDER * (self.limit + SPARE)):
                near = self._near(code, dimensions, wanted)
                hits = self._scored(code, "AND v.key = ANY(:near::bigint[])", near=near)
                if len(hits) >= self.limit:
                    return hits[: self.limit]
        # What an index of neighbours found may be too few for its conditions, or for its patience.
        nearest = "ORDER BY v.vector <#> :vector, v.key LIMIT :wanted"
        return self._scored(code, nearest, wanted=self.limit + SPARE)[: self.limit]

    def _is_large(self, code: int) -> bool:
        """Whether there is an index, and more vectors in the scope than are compared one by one."""
        ((there,),) = self.db.rows(
            "SELECT to_regclass(quote_ident(current_schema()) || '.' || :index) IS NOT NULL",
            {"index": index_name(code)},
        )
        some = f"SELECT 1 FROM vectors v WHERE {self._within(self.archived)} LIMIT :rows"
        sql = f"SELECT count(*) FROM ({some}) counted"
        return there and self.db.number(sql, self._params(code, rows=EXACT_ROWS + 1)) > EXACT_ROWS

    def _near(self, code: int, dimensions: int, wanted: int) -> list[int]:
        """About the nearest of the scope, whatever the conditions, as the index finds them."""
        # The index is of this very expression, for this fingerprint. A planner with old statistics takes the
        # scope for small and sorts it all.
        self.db.rows("SELECT set_config('enable_sort', 'off', true)")
        rows = self.db.rows(
            f"SELECT v.key FROM vectors v WHERE {self._within(self.archived)} AND v.fingerprint = {code:d}"
            f" ORDER BY v.vector::halfvec({dimensions:d}) <#> :vector LIMIT :wanted",
            self._params(code, wanted=wanted),
        )
        self.db.rows("SELECT set_config('enable_sort', 'on', true)")
        return [key for (key,) in rows]

    def _scored(self, code: int, among: str, **params: object) -> tuple[tuple[int, float], ...]:
        """Keys that fulfil the conditions, by their true cosine; ties by key."""
        rows = self.db.rows(
            "SELECT v.key, v.vector FROM vectors v"
            " JOIN passages p ON p.tenant_id = v.tenant_id AND p.key = v.key"
            " JOIN entries e ON e.tenant_id = p.tenant_id AND e.seq = p.entry"
            f" WHERE {self._within(self.archived)} AND {self.conditions.sql} {among}",
            self._params(code, **params),
        )
        if not rows:
            return ()
        found = [key for key, _ in rows]
        vectors = np.frombuffer(b"".join(blob for _, blob in rows), "<f2").reshape(len(rows), -1)
        # Row by row: the last bits of a matrix product depend on how many rows there are.
        cosines = (vectors.astype(np.float32) * self.vector).sum(axis=1)
        return tuple(sorted(zip(found, cosines.tolist(), strict=True), key=lambda hit: (-hit[1], hit[0])))

    def _background(self, code: int) -> tuple[float, float]:
        """Mean and standard deviation of the cosines with a sample of what is live in the scope."""
        sql = (
            "SELECT avg(sample.cosine), stddev_pop(sample.cosine) FROM (SELECT near.cosine"
            " FROM unnest(:codes::bigint[]) s (code) CROSS JOIN LATERAL"
            " (SELECT -(v.vector <#> :vector) AS cosine, v.lot FROM vectors v"
            "  WHERE v.tenant_id = :tenant_id AND v.fingerprint = :fingerprint AND v.scope = s.code"
            "  ORDER BY v.lot LIMIT :rows) near"
            " ORDER BY near.lot LIMIT :rows) sample"
        )
        ((mean, sd),) = self.db.rows(sql, self._params(code, codes=self.codes, rows=BACKGROUND_ROWS))
        return (0.0, 0.0) if mean is None else (mean, sd)

    def _params(self, code: int, **params: Any) -> Params:
        told = {"fingerprint": code, "vector": halfvec(self.vector), "codes": self._signed()}
        return {**self.conditions.params, **told, **params}

    def _signed(self) -> list[int]:
        """The scopes by their numbers, those of what is archived negative."""
        shelves = {False: (1,), True: (-1,), None: (1, -1)}[self.archived]
        return [sign * code for sign in shelves for code in self.codes]

    def _within(self, archived: bool | None) -> str:
        ours = "v.tenant_id = :tenant_id AND v.fingerprint = :fingerprint"
        if not self.reach.everyone:
            return f"{ours} AND v.scope = ANY(:codes::bigint[])"
        return ours + {False: " AND v.scope > 0", True: " AND v.scope < 0", None: ""}[archived]
