"""A question about somebody of whom nothing is remembered."""

from zerda.memory import AIMemoryManager, MemoryConfig


def test_a_question_about_somebody_unknown_is_trusted_less() -> None:
    with AIMemoryManager(MemoryConfig(enable_persistence=False, relevance_floor=0.0)) as manager:
        manager.remember("u", "t", "Marta plays the violin in an orchestra.")
        (told,) = manager.recall("u", "t", "Where does priscilla play the violin?")  # No name, by its looks.
        (named,) = manager.recall("u", "t", "Where does Priscilla play the violin?")
    assert 0 < named.score < told.score / 4
