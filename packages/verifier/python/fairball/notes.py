"""Signed notes, checkpoints and cosignatures (section 3; C2SP signed-note, tlog-checkpoint, tlog-cosignature)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Iterator, Tuple

from . import ed25519
from .errors import Malformed
from .hashing import H, base64_bytes

MAX_NOTE_BYTES = 128 * 1024
MAX_SIGNATURE_LINES = 100
EM_DASH = "\u2014"

LOG_KEY = b"\x01"
WITNESS_KEY = b"\x04"

NUMBER = re.compile(r"0|[1-9][0-9]{0,15}")
ORIGIN = re.compile(r"[!-*,-.0-~]+/fairball")
"""`<host>/fairball`: visible ASCII without `+` and, before the last part, `/`."""


@dataclass(frozen=True)
class Signature:
    """A line under a note's text: name, key id and the bytes after it, not verified."""

    name: str
    key_id: bytes
    data: bytes


@dataclass(frozen=True)
class Note:
    text: str
    signatures: Tuple[Signature, ...]


@dataclass(frozen=True)
class Checkpoint:
    """The head of a log, from its note."""

    origin: str
    size: int
    root: bytes
    note: Note


def key_id(name: str, kind: bytes, key: bytes) -> bytes:
    return H(name.encode("utf-8") + b"\n" + kind + key)[:4]


def is_number(text: str) -> bool:
    """`0` or digits without a leading zero, up to 2^53 − 1 (section 2)."""
    return NUMBER.fullmatch(text) is not None and int(text) <= 2**53 - 1


def read_note(note: str) -> Note:
    """Parses a signed note. Raises Malformed."""
    if len(note.encode("utf-8")) > MAX_NOTE_BYTES:
        raise Malformed("the note is too long")
    if any(character < " " and character != "\n" for character in note):
        raise Malformed("the note has a control character")
    text, between, lines = note.rpartition("\n\n")
    if not between or not text or not lines.endswith("\n"):
        raise Malformed("the note is no text, empty line and signature lines")
    rows = lines[:-1].split("\n")
    if len(rows) > MAX_SIGNATURE_LINES:
        raise Malformed("the note has more than 100 signature lines")
    if len(set(rows)) != len(rows):
        raise Malformed("the note has a signature line twice")
    return Note(text + "\n", tuple(_signature(row) for row in rows))


def _signature(row: str) -> Signature:
    parts = row.split(" ")
    if len(parts) != 3 or parts[0] != EM_DASH or not is_key_name(parts[1]):
        raise Malformed("a signature line is not a dash, a name and base64")
    data = base64_bytes(parts[2])
    if len(data) < 5:
        raise Malformed("a signature line holds no signature")
    return Signature(parts[1], data[:4], data[4:])


def is_key_name(name: str) -> bool:
    return bool(name) and "+" not in name and not any(character.isspace() for character in name)


def read_checkpoint(note: str) -> Checkpoint:
    """The checkpoint in a note: three lines, no extensions. Raises Malformed."""
    parsed = read_note(note)
    lines = parsed.text[:-1].split("\n")
    if len(lines) != 3:
        raise Malformed("a checkpoint has three lines")
    origin, size, root = lines
    if not ORIGIN.fullmatch(origin):
        raise Malformed("the origin of the checkpoint is no <operator>/fairball")
    if not is_number(size):
        raise Malformed("the size of the checkpoint is no number")
    digest = base64_bytes(root)
    if len(digest) != 32:
        raise Malformed("the root of the checkpoint is no hash")
    return Checkpoint(origin, int(size), digest, parsed)


def is_signed_by_log(note: Note, origin: str, key: bytes) -> bool:
    """Whether a log key signed a note with the origin as its name. An invalid line of the key invalidates the note."""
    expected = key_id(origin, LOG_KEY, key)
    text = note.text.encode("utf-8")
    own = [line for line in note.signatures if line.name == origin and line.key_id == expected]
    return bool(own) and all(ed25519.verify(key, text, line.data) for line in own)


def cosigned_at(checkpoint: Checkpoint, name: str, key: bytes) -> Iterator[int]:
    """The times at which a witness cosigned a checkpoint, by its valid cosignatures."""
    expected = key_id(name, WITNESS_KEY, key)
    for line in checkpoint.note.signatures:
        if line.name != name or line.key_id != expected or len(line.data) != 72:
            continue
        time = int.from_bytes(line.data[:8], "big")
        message = f"cosignature/v1\ntime {time}\n{checkpoint.note.text}".encode("utf-8")
        if ed25519.verify(key, message, line.data[8:]):
            yield time
