"""Near copies, and shares: pure rules."""

from datetime import UTC, datetime
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from zerda.memory import MemoryEntry
from zerda.memory.core.model import TRUSTS
from zerda.memory.core.rules.crowding import Said, Shares, admitted, collapsed, near_copies, refilled

NOON = datetime(2026, 5, 7, 12, tzinfo=UTC)
WORDS = [f"w{n}" for n in range(12)]
SAID = st.builds(Said, st.frozensets(st.sampled_from(WORDS)), st.sampled_from(TRUSTS))


def said(text: str, trust: Any = "untrusted") -> Said:
    return Said(frozenset(text.split()), trust)


def test_a_page_with_another_date_is_a_near_copy() -> None:
    one, other = (
        said("the shop opens at nine on the first of may"),
        said("the shop opens at nine on the second of may"),
    )
    assert near_copies(one, other)
    assert not near_copies(said("yes we can"), said("yes we can"))
    assert not near_copies(one, said("the shop sells nine kinds of tea and of cake in may"))


def test_a_trusted_text_gives_way_to_nothing_less_trusted() -> None:
    lie, truth = said("the code of the door is zero"), said("the code of the door is zero", "user")
    assert [place.one for place in collapsed([lie, truth], lambda one: one, 10)] == [lie, truth]
    assert [place.one for place in collapsed([truth, lie], lambda one: one, 10)] == [truth]


def test_a_correction_stands_beside_what_it_corrects() -> None:
    texts = [said(f"my train to the office leaves at platform {n}", "user") for n in "12345"]
    places = collapsed(texts, lambda one: one, 10)
    assert [place.one for place in places] == texts[:3]
    assert [place.one for place in refilled(places, 4)] == texts[:4]


@given(texts=st.lists(SAID, max_size=30), most=st.integers(1, 12))
def test_nothing_is_lost_and_nothing_is_there_twice(texts: list[Said], most: int) -> None:
    numbered = list(enumerate(texts))
    places = collapsed(numbered, lambda one: one[1], most)
    seen = [one for place in places for one in (place.one, *place.copies, *place.beside)]
    assert len(seen) == len({number for number, _ in seen})
    assert len(places) == most or len(seen) == len(texts)
    for place in places:
        for _, copy in (*place.copies, *place.beside):
            assert near_copies(copy, place.said)
            assert TRUSTS.index(place.said.trust) <= TRUSTS.index(copy.trust)


def entry(number: int, trust: Any = "untrusted", source: str | None = None) -> MemoryEntry:
    return MemoryEntry(
        id=str(number),
        tenant_id="a",
        content="x",
        occurred_at=NOON,
        recorded_at=NOON,
        trust=trust,
        source=source,
    )


ENTRIES = st.lists(
    st.tuples(st.sampled_from(TRUSTS), st.sampled_from([None, "tool", "https://b.org/1", "https://b.org/2"])),
    max_size=25,
)


@given(given_=ENTRIES, per_source=st.integers(1, 4), share=st.floats(0, 1), most=st.integers(1, 10))
def test_no_source_and_no_distrust_takes_more_than_its_share(
    given_: list[tuple[Any, Any]], per_source: int, share: float, most: int
) -> None:
    entries = [entry(number, *one) for number, one in enumerate(given_)]
    chosen, refused = admitted(entries, Shares(per_source, share), most)
    untrusted = [one for one in chosen if one.trust not in ("system", "owner", "user")]
    trusted = [one for one in entries if one.trust in ("system", "owner", "user")]
    assert len(chosen) <= most
    assert not {one.id for one in chosen} & refused.keys()
    for host in ("tool", "b.org"):
        assert sum(host in (one.source or "") for one in untrusted) <= per_source
    # What is trusted loses no place to what is not, beyond the share.
    assert len(chosen) - len(untrusted) >= min(len(trusted), most - max(1, int(share * most)))
