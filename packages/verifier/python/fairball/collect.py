"""Collects the bundle of draws from an operator's files (section 3): checkpoint, tiles, texts, seals.

The files are not trusted: the bundle is judged like any other file.
"""

from __future__ import annotations

import random
from base64 import b64encode
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException
from typing import Any, Dict, List, Optional, Sequence
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from .bundle import BUNDLE_FORMAT, MAX_RANGE
from .errors import Malformed
from .hashing import ZERO
from .log import Indexed
from .notes import Checkpoint, read_checkpoint
from .plays import SECTION, read_entries
from .statements import LOGGED, Statement, read_statement
from .strict_json import read_json
from .tree import EMPTY_ROOT, leaf_hash, node_hash

TILE = 256
PLAYS_FILE = 4096
"""Plays of a file of plays: sixteen full tiles of entries."""
MAX_FILE = 64 * 2**20
TIMEOUT = 30
HERE = ("localhost", "127.0.0.1", "::1")
"""Plain HTTP is allowed only to this computer, because answers could be changed on their way."""
AT_ONCE = 8
MAX_SECTIONS = 16
"""Sections up to which a draw is fetched completely; of a larger draw, one random section and the sections file."""


class Source:
    """The files of an operator, under `https://<operator>/fairball/`."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        is_here = parts.scheme == "http" and parts.hostname in HERE
        if not parts.netloc or (parts.scheme != "https" and not is_here):
            raise Malformed("the address is to begin with https://")
        path = parts.path.rstrip("/")
        if not path.endswith("/fairball"):
            path += "/fairball"
        self.prefix = f"{parts.scheme}://{parts.netloc}{path}/"

    def get(self, path: str) -> Optional[bytes]:
        """The bytes of a file; None if it does not exist. Raises OSError, and Malformed if it is too long."""
        request = Request(self.prefix + path, headers={"User-Agent": "fairball-verify"})
        try:
            with urlopen(request, timeout=TIMEOUT) as answer:
                data: bytes = answer.read(MAX_FILE + 1)
        except HTTPError as error:
            if error.code in (403, 404, 410):
                return None
            raise
        except (HTTPException, ValueError) as error:
            raise Malformed(f"{path} cannot be fetched: {error}") from None
        if len(data) > MAX_FILE:
            raise Malformed(f"{path} is too long")
        return data

    def need(self, path: str) -> bytes:
        data = self.get(path)
        if data is None:
            raise Malformed(f"the operator does not serve {path}")
        return data

    def text(self, path: str) -> str:
        try:
            return self.need(path).decode("utf-8")
        except UnicodeDecodeError:
            raise Malformed(f"{path} is not UTF-8") from None


def tile_name(number: int) -> str:
    """The number of a tile in groups of three digits: 1234067 is x001/x234/067."""
    groups = [f"{number % 1000:03}"]
    while number >= 1000:
        number //= 1000
        groups.insert(0, f"x{number % 1000:03}")
    return "/".join(groups)


def entries(source: Source, prefix: str, first: int, end: int, size: int) -> List[bytes]:
    """The entries first … end − 1 of a tree of a size; `first` begins a tile. Raises Malformed and OSError."""
    numbers = range(first // TILE, -(-end // TILE))
    with ThreadPoolExecutor(AT_ONCE) as pool:
        tiles = list(pool.map(lambda number: _tile(source, prefix, number, size), numbers))
    return [entry for tile in tiles for entry in tile][: end - first]


def _tile(source: Source, prefix: str, number: int, size: int) -> List[bytes]:
    width = min(TILE, size - number * TILE)
    path = f"{prefix}tile/entries/{tile_name(number)}"
    data = source.get(path if width == TILE else f"{path}.p/{width}")
    if data is None and width < TILE:
        data = source.get(path)
    if data is None:
        raise Malformed(f"the operator does not serve {path}")
    found = read_entries(data)
    if len(found) < width:
        raise Malformed(f"{path} has too few entries")
    return found[:width]


def section_entries(source: Source, folder: str, number: int, size: int) -> bytes:
    """The entries of a section of a draw's plays: in files of plays where those are served, and in tiles."""
    first = number * SECTION
    end = min(first + SECTION, size)
    full = range(first // PLAYS_FILE, end // PLAYS_FILE)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        files = list(pool.map(lambda index: source.get(f"{folder}plays/{index}"), full))
    read = [
        _written(entries(source, folder, index * PLAYS_FILE, (index + 1) * PLAYS_FILE, size)) if file is None else file
        for index, file in zip(full, files)
    ]
    rest = first + len(full) * PLAYS_FILE
    if rest < end:
        read.append(_written(entries(source, folder, rest, end, size)))
    return b"".join(read)


def _written(found: Sequence[bytes]) -> bytes:
    return b"".join(len(entry).to_bytes(2, "big") + entry for entry in found)


class Tree:
    """A tree with all its leaves; every perfect subtree is hashed once."""

    def __init__(self, leaves: Sequence[bytes]) -> None:
        self.levels: List[List[bytes]] = [list(leaves)]
        while len(self.levels[-1]) > 1:
            below = self.levels[-1]
            self.levels.append([node_hash(below[i], below[i + 1]) for i in range(0, len(below) - 1, 2)])

    def root(self, start: int, end: int) -> bytes:
        """The root of the leaves start … end − 1, which must be a subtree by the tree's splits."""
        count = end - start
        if count == 0:
            return EMPTY_ROOT
        level = (count - 1).bit_length()
        if count == 1 << level and start % count == 0:
            return self.levels[level][start >> level]
        split = start + (1 << (level - 1))
        return node_hash(self.root(start, split), self.root(split, end))

    def path(self, index: int, size: int) -> List[str]:
        """The inclusion path of a leaf, from the leaf up, as hex."""
        start, end, path = 0, size, []
        while end - start > 1:
            split = start + (1 << ((end - start - 1).bit_length() - 1))
            if index < split:
                path.append(self.root(split, end).hex())
                end = split
            else:
                path.append(self.root(start, split).hex())
                start = split
        return path[::-1]

    def consistency(self, first: int, size: int) -> List[str]:
        """The proof that the tree of a size continues the tree of its first leaves, as hex."""
        if first in (0, size):
            return []
        start, end, proof = 0, size, []
        while first != end:
            split = start + (1 << ((end - start - 1).bit_length() - 1))
            if first <= split:
                proof.append(self.root(split, end).hex())
                end = split
            else:
                proof.append(self.root(start, split).hex())
                start = split
        return ([] if start == 0 else [self.root(start, end).hex()]) + proof[::-1]

    def left(self, start: int) -> List[str]:
        """The roots of the perfect subtrees before a leaf, largest first, as hex."""
        roots, at = [], 0
        for level in reversed(range(start.bit_length())):
            if start >> level & 1:
                roots.append(self.root(at, at + (1 << level)).hex())
                at += 1 << level
        return roots


class Served:
    """The served log: all its statements, by index and by hash."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.note = source.text("checkpoint")
        self.head: Checkpoint = read_checkpoint(self.note)
        self.size = self.head.size
        self.texts = [_decoded(entry) for entry in entries(source, "", 0, self.size, self.size)]
        self.tree = Tree([leaf_hash(text.encode("utf-8")) for text in self.texts])
        if self.tree.root(0, self.size) != self.head.root:
            raise Malformed("the entries of the log do not lead to its checkpoint")
        self.statements: List[Indexed] = []
        for index, text in enumerate(self.texts):
            try:
                self.statements.append((index, read_statement(text, LOGGED)))
            except Malformed:
                continue
        self.by_hash: Dict[str, Indexed] = {one.hash: (index, one) for index, one in self.statements}

    def of_kind(self, *kinds: str) -> List[Indexed]:
        return [item for item in self.statements if item[1].kind in kinds]

    def root_of_size(self, size: int) -> Optional[bytes]:
        """The log's root at a size; None if the log is shorter."""
        return self.tree.root(0, size) if size <= self.size else None


def _decoded(entry: bytes) -> str:
    try:
        return entry.decode("utf-8")
    except UnicodeDecodeError:
        raise Malformed("an entry of the log is no text") from None


def collect(served: Served, draws: Sequence[str]) -> Dict[str, Any]:
    """The bundle of draws, named as in `--draw`; if none is named, of the newest draw that is over."""
    opens = [_open(served, name) for name in draws] or [_newest(served)]
    parts = [_DrawParts(served, index, opening) for index, opening in opens]
    wanted = {0: True, **{index: True for index, _ in served.of_kind("key")}}
    texts: Dict[str, str] = {}
    for part in parts:
        wanted.update({index: True for index in part.indexes()})
        for name in (part.open["rules"], part.open["policy"]):
            texts.setdefault(name, served.source.text(f"text/{name}"))
    return {
        "format": BUNDLE_FORMAT,
        "head": served.note,
        "statements": [
            {"index": index, "text": served.texts[index], "path": served.tree.path(index, served.size)}
            for index in sorted(wanted)
        ],
        "texts": list(texts.values()),
        "draws": [part.document() for part in parts],
        "papers": [],
    }


def _open(served: Served, name: str) -> Indexed:
    for index, one in served.of_kind("open"):
        if name in (one.hash, f"{one['game']}/{one['draw']}"):
            return index, one
    raise Malformed(f"the log opens no draw {name}")


def _newest(served: Served) -> Indexed:
    for _, one in reversed(served.of_kind("result", "void")):
        close = served.by_hash.get(one["close"]) if one.kind == "result" else None
        name = close[1]["open"] if close else one.values.get("open", ("",))[0]
        if name in served.by_hash:
            return served.by_hash[name]
    opens = served.of_kind("open")
    if not opens:
        raise Malformed("the log opens no draw yet")
    return opens[-1]


class _DrawParts:
    """The parts of the log and the files that belong to a draw."""

    def __init__(self, served: Served, index: int, opening: Statement) -> None:
        self.served, self.index, self.open = served, index, opening
        self.folder = f"draw/{opening.hash}/"
        self.closes = [item for item in served.of_kind("close") if item[1]["open"] == opening.hash]
        self.postpones = [item for item in served.of_kind("postpone") if item[1]["open"] == opening.hash]
        hashes = {one.hash for _, one in self.closes}
        self.ends = [item for item in served.of_kind("result") if item[1]["close"] in hashes]
        self.ends += [item for item in served.of_kind("void") if item[1]["open"] == opening.hash]
        self.ends.sort(key=lambda item: item[0])

    def indexes(self) -> List[int]:
        """Indexes of the statements that the bundle's list needs for this draw."""
        found = [self.index]
        for index, game in self.served.of_kind("game"):
            if game["game"] == self.open["game"] and index < self.index:
                found.append(index)
        for index, chain in self.served.of_kind("chain"):
            if chain["chain"] == self.open["chain"]:
                found.append(index)
        for index, one in self.closes + self.postpones + self.ends:
            found.append(index)
            if "last" in one.values:
                found += self._with_game(one["last"])
            if "sold" in one.values:
                found += self._known(one["sold"])
        paid = [index for index, one in self.served.of_kind("paid") if self.open.hash in " ".join(one.all("draw"))]
        return found + paid[-1:]

    def _known(self, digest: str) -> List[int]:
        known = self.served.by_hash.get(digest)
        return [known[0]] if known else []

    def _with_game(self, digest: str) -> List[int]:
        """A statement with those that determine its game: a result's close, a close's or void's `open`."""
        known = self.served.by_hash.get(digest)
        if known is None or digest == ZERO:
            return []
        index, one = known
        names = [one[key] for key in ("close", "open") if key in one.values]
        if one.kind == "open":
            return [index]
        return [index] + [at for name in names for at in self._with_game(name)]

    def document(self) -> Dict[str, Any]:
        seal = self._seal()
        end = self.ends[0] if self.ends else None
        tail = self._tail(seal, end) if seal is not None and end is not None else None
        close = self._judged_close()
        return {
            "open": self.open.hash,
            "postpones": [found for _, one in self.postpones[:2] if (found := self._served_seal(one.hash)) is not None],
            "seal": seal,
            "tail": tail,
            "beacon": self._beacon(),
            "plays": self._plays(close) if close is not None else None,
        }

    def _judged_close(self) -> Optional[Statement]:
        if self.ends and self.ends[0][1].kind == "result":
            return self.served.by_hash[self.ends[0][1]["close"]][1]
        return self.closes[-1][1] if self.closes else None

    def _seal(self) -> Optional[Dict[str, Any]]:
        """The seal of the close in force, or of the newest postponement; for a void without a seal, of the head."""
        close = self._judged_close()
        names = [close.hash] if close is not None else []
        if self.ends and self.ends[0][1].kind == "void":
            names.insert(0, self.ends[0][1].hash)
        names += [one.hash for _, one in reversed(self.postpones)]
        for name in names:
            found = self._served_seal(name)
            if found is not None:
                return found
        return self._seal_of_head() if self.ends else None

    def _served_seal(self, name: str) -> Optional[Dict[str, Any]]:
        data = self.served.source.get(f"seal/{name}")
        if data is None:
            return None
        seal = read_json(data)
        if not isinstance(seal, dict) or not isinstance(seal.get("checkpoint"), str):
            raise Malformed(f"seal/{name} is no seal")
        size = read_checkpoint(seal["checkpoint"]).size
        proof = self.served.tree.consistency(size, self.served.size) if size <= self.served.size else []
        return {**seal, "consistency": proof}

    def _seal_of_head(self) -> Optional[Dict[str, Any]]:
        before = [
            index
            for index, one in self.served.statements
            if one.time < self.open.number("close") and index <= self.ends[0][0]
        ]
        start, size = before[-1] if before else 0, self.served.size
        if size - start > MAX_RANGE:
            return None
        return {
            "checkpoint": self.served.note,
            "start": start,
            "left": self.served.tree.left(start),
            "statements": self.served.texts[start:],
            "consistency": [],
        }

    def _tail(self, seal: Dict[str, Any], end: Indexed) -> Optional[Dict[str, Any]]:
        size = read_checkpoint(seal["checkpoint"]).size
        after = end[0] + 1
        if after <= size or after - size > MAX_RANGE:
            return None
        return {
            "left": self.served.tree.left(size),
            "statements": self.served.texts[size:after],
            "consistency": self.served.tree.consistency(after, self.served.size),
        }

    def _beacon(self) -> Optional[Dict[str, Any]]:
        data = self.served.source.get(self.folder + "beacon")
        if data is None:
            return None
        words = data.decode("ascii", "replace").split()
        if len(words) != 2 or not words[0].isdigit() or len(words[0]) > 15:
            raise Malformed("the beacon that is served is no round and signature")
        return {"round": int(words[0]), "signature": words[1]}

    def _plays(self, close: Statement) -> Optional[Dict[str, Any]]:
        size = close.number("size")
        total = -(-size // SECTION)
        numbers = list(range(total))
        sections: Optional[str] = None
        if total > MAX_SECTIONS:
            numbers = [random.SystemRandom().randrange(total)]
            data = self.served.source.get(self.folder + "sections")
            sections = None if data is None else b64encode(data).decode("ascii")
        try:
            parts = [{"section": number, "leaves": self._leaves(number, size)} for number in numbers]
        except Malformed:
            return None
        return {"sections": sections, "parts": parts}

    def _leaves(self, number: int, size: int) -> str:
        return b64encode(section_entries(self.served.source, self.folder, number, size)).decode("ascii")
