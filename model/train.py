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
from model.teach import read_vectors, token_texts, vectors_folder
from model.teachers import MINILM
from zerda.memory.embedding.static import Tokens, Vocabulary, pieces_of

SIF_A = 0.001  # Arora, Liang & Ma 2017: a frequent word starts short.
COMPARED = 512  # Texts of a batch that are compared with all of it: comparing each with each gains nothing.
HELD_OUT = 0.02  # Share of the sentences that is never trained on; their order is a shuffle.


@dataclass(frozen=True)
class Settings:
    dimensions: int = 256
    epochs: int = 6
    batch: int = 2_048
    rate: float = 0.003
    warm_up: int = 50
    pair_start: float = 0.1  # A pair adds to its words, so it begins small.
    similarity: float = 4.0  # Weight of the differences between the two similarity matrices.
    listwise: float = 0.0
    temperature: float = 0.05
    misspelt: float = 0.1  # Share of sentences that are also shown with a typing error, anew in each epoch.
    near: bool = False
    seed: int = 1


@dataclass(frozen=True)
class Bags:
    """Texts as their tokens' numbers and shares, one after the other; text ``i`` begins at ``starts[i]``."""

    numbers: torch.Tensor
    shares: torch.Tensor
    starts: torch.Tensor

    def take(self, rows: torch.Tensor) -> "Bags":
        ends = torch.cat([self.starts[1:], torch.tensor([len(self.numbers)])])
        sizes = (ends - self.starts)[rows]
        starts = torch.cumsum(sizes, 0) - sizes
        places = torch.repeat_interleave(self.starts[rows] - starts, sizes) + torch.arange(int(sizes.sum()))
        return Bags(self.numbers[places], self.shares[places], starts)


def bags(tokens: Tokens, texts: Sequence[str]) -> Bags:
    listed = [tokens.of(text) for text in texts]
    flat = [token for text in listed for token in text]
    sizes = np.array([len(text) for text in listed], dtype=np.int64)
    return Bags(
        torch.tensor([number for number, _ in flat]),
        torch.tensor([share for _, share in flat], dtype=torch.float32),
        torch.from_numpy(np.cumsum(sizes) - sizes),
    )


def join(first: Bags, second: Bags) -> Bags:
    return Bags(
        torch.cat([first.numbers, second.numbers]),
        torch.cat([first.shares, second.shares]),
        torch.cat([first.starts, second.starts + len(first.numbers)]),
    )


def directions(vectors: NDArray[np.float32], dimensions: int) -> NDArray[np.float32]:
    """The first principal directions (not centred, so that dot products live on), as columns."""
    values, columns = np.linalg.eigh(vectors.T.astype(np.float64) @ vectors)
    del values
    best = columns[:, ::-1][:, :dimensions]
    signs = np.sign(best[np.abs(best).argmax(axis=0), np.arange(dimensions)])
    return (best * signs).astype(np.float32)


def start(
    vocabulary: Vocabulary,
    alone: NDArray[np.float32],
    base: NDArray[np.float32],
    counts: NDArray[np.float64],
    settings: Settings,
) -> torch.Tensor:
    """Where training begins: what the teacher says of each token alone, shorter the more frequent it is."""
    vectors = (alone - alone.mean(axis=0)) @ base
    vectors *= (SIF_A / (SIF_A + counts / counts.sum()))[: len(vectors), None]
    vectors[len(vocabulary.words) :] *= settings.pair_start
    pieces = _pieces_start(vocabulary, vectors[: len(vocabulary.words)])
    return torch.from_numpy(np.concatenate([vectors, pieces]).astype(np.float32))


def _pieces_start(vocabulary: Vocabulary, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """A piece begins as the mean of the words that have it."""
    numbers = {piece: number for number, piece in enumerate(vocabulary.pieces)}
    sums = np.zeros((len(numbers), vectors.shape[1]), dtype=np.float32)
    found = np.ones((len(numbers), 1), dtype=np.float32)
    for word, vector in zip(vocabulary.words, vectors, strict=True):
        rows = [numbers[piece] for piece in set(pieces_of(word)) if piece in numbers]
        sums[rows] += vector
        found[rows] += 1
    return sums / found


class Student(torch.nn.Module):
    def __init__(self, table: torch.Tensor) -> None:
        super().__init__()
        self.table = torch.nn.Parameter(table.clone())

    def forward(self, texts: Bags) -> torch.Tensor:
        summed = functional.embedding_bag(
            texts.numbers, self.table, texts.starts, mode="sum", per_sample_weights=texts.shares
        )
        return functional.normalize(summed, dim=1)


def loss(student: torch.Tensor, target: torch.Tensor, base: torch.Tensor, settings: Settings) -> torch.Tensor:
    """How far the student is from the teacher, text by text, and in what is near to what."""
    apart = 1 - (student * functional.normalize(target @ base, dim=1)).sum(1).mean()
    ours, theirs = student[:COMPARED] @ student.T, target[:COMPARED] @ target.T
    total = apart + settings.similarity * (ours - theirs).square().mean()
    if settings.listwise:
        total = total + settings.listwise * _listwise(ours, theirs, settings.temperature)
    return total


def _listwise(ours: torch.Tensor, theirs: torch.Tensor, temperature: float) -> torch.Tensor:
    itself = torch.eye(*ours.shape, dtype=torch.bool)
    ours = (ours / temperature).masked_fill(itself, -1e4)
    theirs = (theirs / temperature).masked_fill(itself, -1e4)
    return functional.kl_div(
        functional.log_softmax(ours, 1),
        functional.log_softmax(theirs, 1),
        log_target=True,
        reduction="batchmean",
    )


def batches(count: int, size: int, draw: torch.Generator) -> Iterator[torch.Tensor]:
    yield from torch.randperm(count, generator=draw).split(size)


def near_batches(
    vectors: torch.Tensor, origin: torch.Tensor, size: int, draw: torch.Generator
) -> Iterator[torch.Tensor]:
    """Batches made of eight runs of texts that the teacher holds for alike: what is hard to tell apart."""
    line = torch.randn(vectors.shape[1], generator=draw)
    line2 = torch.randn(vectors.shape[1], generator=draw)
    cell = ((vectors[origin] @ line).argsort().argsort() * 64 // len(origin)).float() * 1e6 + (
        vectors[origin] @ line2
    ).argsort().argsort().float()
    runs = list(cell.argsort().split(size // 8))
    order = torch.randperm(len(runs), generator=draw).tolist()
    for start in range(0, len(runs), 8):
        chosen = torch.cat([runs[i] for i in order[start : start + 8]])
        yield chosen[torch.randperm(len(chosen), generator=draw)]


def train(
    vocabulary: Vocabulary,
    texts: Sequence[str],
    vectors: NDArray[np.float32],
    alone: NDArray[np.float32],
    settings: Settings,
) -> NDArray[np.float32]:
    torch.manual_seed(settings.seed)
    draw = torch.Generator().manual_seed(settings.seed)
    spelling = random.Random(settings.seed)
    tokens = Tokens(vocabulary)
    clean = bags(tokens, texts)
    counts = torch.bincount(clean.numbers, minlength=len(vocabulary)).double().numpy()
    base = directions(vectors, settings.dimensions)
    student = Student(start(vocabulary, alone, base, counts, settings))
    teacher, projection = torch.from_numpy(vectors), torch.from_numpy(base)

    per_epoch = int(len(texts) * (1 + settings.misspelt))
    steps = settings.epochs * -(-per_epoch // settings.batch)
    adam = torch.optim.Adam(student.parameters(), lr=settings.rate, fused=True)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        adam, lambda step: min((step + 1) / settings.warm_up, max(0.0, 1 - step / steps))
    )
    for epoch in range(settings.epochs):
        rows = torch.randperm(len(texts), generator=draw)[: int(len(texts) * settings.misspelt)]
        wrong = [misspelt(texts[row], spelling) for row in rows.tolist()]
        seen = join(clean, bags(tokens, wrong)) if wrong else clean
        origin = torch.cat([torch.arange(len(texts)), rows])
        total = 0.0
        parts = (
            near_batches(teacher, origin, settings.batch, draw)
            if settings.near and epoch % 2
            else batches(len(origin), settings.batch, draw)
        )
        for chosen in parts:
            adam.zero_grad()
            cost = loss(student(seen.take(chosen)), teacher[origin[chosen]], projection, settings)
            cost.backward()  # type: ignore[no-untyped-call]
            adam.step()
            schedule.step()
            total += float(cost.detach()) * len(chosen)
        print(f"epoch {epoch + 1}: loss {total / len(origin):.4f}", flush=True)
    return student.table.detach().numpy()


def held_out(count: int) -> range:
    """The rows that no training sees: the last of the shuffle."""
    return range(count - int(count * HELD_OUT), count)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m model.train", description=__doc__)
    parser.add_argument("--name", default=MINILM, help="the teacher's name, as given to model.teach")
    parser.add_argument("--threads", type=int, default=2, help="the same number gives the same file")
    for field in fields(Settings):
        parser.add_argument(f"--{field.name}", type=type(field.default), default=field.default)
    asked = vars(parser.parse_args())
    name, threads = asked.pop("name"), asked.pop("threads")
    settings = Settings(**asked)
    torch.set_num_threads(threads)
    torch.use_deterministic_algorithms(True)
    texts = [text for _, text in read_sentences()]
    seen = held_out(len(texts)).start
    folder = vectors_folder(name)
    vectors, alone = read_vectors(folder, texts), read_vectors(folder, token_texts())
    np.save(TRAINED, train(read_vocabulary(), texts[:seen], vectors[:seen], alone, settings))
    recipe = {"teacher": name, "settings": asdict(settings), "sentences": _digest(texts)}
    RECIPE.write_text(json.dumps(recipe, indent=1), encoding="utf-8")


def _digest(texts: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()


if __name__ == "__main__":
    main()
