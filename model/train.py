"""Step 4: trains a vector for every token, so that their sum says what the teacher says of the whole text."""

import argparse
import hashlib
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from model.cache import RECIPE, TRAINED, read_sentences, read_vocabulary
from model.spelling import misspelt
from model.teach import read_vectors, taught_texts, token_texts, translated, vectors_folder
from model.teachers import MINILM
from zerda.memory.embedding.static import Tokens, Vocabulary, pieces_of

SIF_A = 0.001  # Arora, Liang & Ma 2017: a frequent word starts short.
PAIR_START = 0.1  # A pair adds to its words, so it begins small.
WARM_UP = 50  # Steps.
COMPARED = 512  # Texts of a batch that are compared with all of it: comparing each with each gains nothing.
HELD_OUT = 0.02  # Share of the sentences that is never trained on; their order is a shuffle.


@dataclass(frozen=True)
class Settings:
    dimensions: int = 128
    epochs: int = 6
    batch: int = 2_048
    rate: float = 0.003
    similarity: float = 4.0  # Weight of the differences between the two similarity matrices.
    misspelt: float = 0.1  # Share of sentences that are also shown with typing errors, anew in each epoch.
    shared: float = 1.0  # Weight of its pieces in a word while it learns.
    eps: float = 1e-6  # Adam's: above its usual 1e-8 a word that was seen once is not thrown about by that.
    seed: int = 1


@dataclass(frozen=True)
class Bags:
    """Texts as their tokens' numbers and shares, one after the other; text ``i`` begins at ``starts[i]``."""

    numbers: torch.Tensor
    shares: torch.Tensor
    starts: torch.Tensor

    def sizes(self) -> torch.Tensor:
        return torch.diff(self.starts, append=torch.tensor([len(self.numbers)]))

    def take(self, rows: torch.Tensor) -> "Bags":
        sizes = self.sizes()[rows]
        starts = torch.cumsum(sizes, 0) - sizes
        places = torch.repeat_interleave(self.starts[rows] - starts, sizes) + torch.arange(int(sizes.sum()))
        return Bags(self.numbers[places], self.shares[places], starts)

    def sums(self, table: torch.Tensor) -> torch.Tensor:
        return functional.embedding_bag(
            self.numbers, table, self.starts, mode="sum", per_sample_weights=self.shares
        )


def bags(listed: Sequence[Sequence[tuple[int, float]]]) -> Bags:
    sizes = torch.tensor([len(tokens) for tokens in listed], dtype=torch.int64)
    return Bags(
        torch.tensor([number for tokens in listed for number, _ in tokens], dtype=torch.int64),
        torch.tensor([share for tokens in listed for _, share in tokens], dtype=torch.float32),
        torch.cumsum(sizes, 0) - sizes,
    )


def join(first: Bags, second: Bags) -> Bags:
    return Bags(
        torch.cat([first.numbers, second.numbers]),
        torch.cat([first.shares, second.shares]),
        torch.cat([first.starts, second.starts + len(first.numbers)]),
    )


def directions(vectors: NDArray[np.float32], dimensions: int) -> NDArray[np.float32]:
    """The first principal directions (not centred, so that dot products live on), as columns."""
    _, columns = np.linalg.eigh(vectors.T.astype(np.float64) @ vectors)
    best = columns[:, ::-1][:, :dimensions]
    signs = np.sign(best[np.abs(best).argmax(axis=0), np.arange(dimensions)])
    return (best * signs).astype(np.float32)


def company(seen: Bags, vectors: NDArray[np.float32], count: int) -> NDArray[np.float32]:
    """For each of the first ``count`` tokens the mean of the sentences it is in.

    It stands for what the token says alone where the teacher cannot read it.
    """
    owners = torch.repeat_interleave(torch.arange(len(seen.starts)), seen.sizes())
    wanted = seen.numbers < count
    numbers, owners = seen.numbers[wanted], owners[wanted]
    sums = torch.zeros(count, vectors.shape[1]).index_add_(0, numbers, torch.from_numpy(vectors)[owners])
    times = torch.bincount(numbers, minlength=count).clamp(min=1)
    return (sums / times[:, None]).numpy()


def start(
    vocabulary: Vocabulary, alone: NDArray[np.float32], counts: NDArray[np.float64]
) -> NDArray[np.float32]:
    """Where training begins: what each token says alone, shorter the more frequent it is; a piece begins as
    the mean of the words that have it."""
    words = len(vocabulary.words)
    vectors = alone - alone.mean(axis=0)
    vectors *= (SIF_A / (SIF_A + counts / counts.sum()))[: len(vectors), None]
    vectors[words:] *= PAIR_START
    sums = np.zeros((len(vocabulary.pieces), vectors.shape[1]), dtype=np.float32)
    times = np.ones((len(vocabulary.pieces), 1), dtype=np.float32)
    numbers = {piece: number for number, piece in enumerate(vocabulary.pieces)}
    for word, vector in zip(vocabulary.words, vectors[:words], strict=True):
        rows = [numbers[piece] for piece in set(pieces_of(word)) if piece in numbers]
        sums[rows] += vector
        times[rows] += 1
    return np.concatenate([vectors, sums / times]).astype(np.float32)


def pieces_of_tokens(vocabulary: Vocabulary, weight: float) -> Bags:
    """For each token the pieces that it shares with others: those of a word; pairs and pieces have none."""
    first = len(vocabulary.words) + len(vocabulary.pairs)
    numbers = {piece: number for number, piece in enumerate(vocabulary.pieces, first)}
    of_words = [
        [numbers[piece] for piece in pieces_of(word) if piece in numbers] for word in vocabulary.words
    ]
    listed = [[(number, weight / len(pieces)) for number in pieces] for pieces in of_words]
    return bags(listed + [[]] * (len(vocabulary) - len(listed)))


class Student(torch.nn.Module):
    """A vector for each token. While it learns, a word is its own vector and the mean of its pieces' vectors.

    So what is learnt of a word helps the words that look like it, which matters for rare ones; `table`
    adds the two up, and the finished model knows no difference.
    """

    def __init__(self, table: torch.Tensor, pieces: Bags) -> None:
        super().__init__()
        self.pieces = pieces
        self.own = torch.nn.Parameter(table - pieces.sums(table))

    def forward(self, texts: Bags) -> torch.Tensor:
        used, numbers = texts.numbers.unique(return_inverse=True)
        vectors = self.own[used] + self.pieces.take(used).sums(self.own)
        return functional.normalize(Bags(numbers, texts.shares, texts.starts).sums(vectors), dim=1)

    @torch.no_grad()
    def table(self) -> torch.Tensor:
        return self.own + self.pieces.sums(self.own)


def loss(student: torch.Tensor, target: torch.Tensor, base: torch.Tensor, similarity: float) -> torch.Tensor:
    """How far the student is from the teacher, text by text, and in what is near to what."""
    apart = 1 - (student * functional.normalize(target @ base, dim=1)).sum(1).mean()
    ours, theirs = student[:COMPARED] @ student.T, target[:COMPARED] @ target.T
    return apart + similarity * (ours - theirs).square().mean()


def epochs(tokens: Tokens, texts: Sequence[str], settings: Settings) -> Iterator[tuple[Bags, torch.Tensor]]:
    """What each epoch shows: all texts and some of them misspelt, and which text each is."""
    draw, spelling = torch.Generator().manual_seed(settings.seed), random.Random(settings.seed)
    clean = bags([tokens.of(text) for text in texts])
    for _ in range(settings.epochs):
        rows = torch.randperm(len(texts), generator=draw)[: int(len(texts) * settings.misspelt)]
        wrong = bags([tokens.of(misspelt(texts[row], spelling)) for row in rows.tolist()])
        yield join(clean, wrong), torch.cat([torch.arange(len(texts)), rows])


def train(
    vocabulary: Vocabulary,
    texts: Sequence[str],
    vectors: NDArray[np.float32],
    alone: NDArray[np.float32] | None,
    settings: Settings,
) -> NDArray[np.float32]:
    """A row for each token. ``alone``: the teacher's vectors of words and pairs, if it can read them."""
    tokens = Tokens(vocabulary)
    clean = bags([tokens.of(text) for text in texts])
    if alone is None:
        alone = company(clean, vectors, len(vocabulary.words) + len(vocabulary.pairs))
    counts = torch.bincount(clean.numbers, minlength=len(vocabulary)).double().numpy()
    base = directions(vectors, settings.dimensions)
    table = torch.from_numpy(start(vocabulary, alone @ base, counts))
    student = Student(table, pieces_of_tokens(vocabulary, settings.shared))
    _learn(
        student, epochs(tokens, texts, settings), torch.from_numpy(vectors), torch.from_numpy(base), settings
    )
    return student.table().numpy()


def _learn(
    student: Student,
    shown: Iterator[tuple[Bags, torch.Tensor]],
    teacher: torch.Tensor,
    base: torch.Tensor,
    settings: Settings,
) -> None:
    a_epoch = len(teacher) + int(len(teacher) * settings.misspelt)
    steps = settings.epochs * -(-a_epoch // settings.batch)
    adam = torch.optim.Adam(student.parameters(), lr=settings.rate, eps=settings.eps, fused=True)
    rate = torch.optim.lr_scheduler.LambdaLR(adam, lambda step: min((step + 1) / WARM_UP, 1 - step / steps))
    draw = torch.Generator().manual_seed(settings.seed)
    for texts, origin in shown:
        total = 0.0
        for chosen in torch.randperm(len(origin), generator=draw).split(settings.batch):
            adam.zero_grad()
            cost = loss(student(texts.take(chosen)), teacher[origin[chosen]], base, settings.similarity)
            cost.backward()  # type: ignore[no-untyped-call]
            adam.step()
            rate.step()
            total += float(cost.detach()) * len(chosen)
        print(f"loss {total / len(origin):.4f}", flush=True)


def held_out(count: int) -> range:
    """The rows that no training sees: the last of the shuffle."""
    return range(count - int(count * HELD_OUT), count)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m model.train", description=__doc__)
    parser.add_argument("--name", default=MINILM, help="the teacher's name, as given to model.teach")
    parser.add_argument("--threads", type=int, default=1, help="another number may give another file")
    for field in fields(Settings):
        parser.add_argument(f"--{field.name}", type=type(field.default), default=field.default)
    asked = vars(parser.parse_args())
    name, threads = asked.pop("name"), asked.pop("threads")
    settings = Settings(**asked)
    torch.set_num_threads(threads)
    torch.use_deterministic_algorithms(True)
    texts = [sentence.text for sentence in read_sentences()]
    seen = held_out(len(texts)).start
    vectors = read_vectors(vectors_folder(name), taught_texts())
    alone = None if translated() else read_vectors(vectors_folder(name), token_texts())
    np.save(TRAINED, train(read_vocabulary(), texts[:seen], vectors[:seen], alone, settings))
    recipe = {"teacher": name, "settings": asdict(settings), "sentences": _digest(texts)}
    RECIPE.write_text(json.dumps(recipe, indent=1), encoding="utf-8")


def _digest(texts: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()


if __name__ == "__main__":
    main()
