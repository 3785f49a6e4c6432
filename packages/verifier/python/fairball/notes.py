"""Signed notes (C2SP signed-note) and the lines of witnesses (fairness sections 3 and 5)."""

from __future__ import annotations

import binascii
from base64 import b64decode, b64encode
from dataclasses import dataclass
from hashlib import sha256
from typing import Optional, Tuple

from . import ed25519

MAX_SIGNATURE_LINES = 100
MAX_NOTE_CHARS = 200_000
EM_DASH = "\u2014"
WITNESS_TYPE = b"fairball/witness/v1"


class NoteError(ValueError):
    """A text that is not a signed note. Its message is for people."""


@dataclass(frozen=True)
class SignatureLine:
    """A line below a note's text: who signed, by name and key id, and the bytes after the key id."""

    name: str
    key_id: bytes
    data: bytes


@dataclass(frozen=True)
class Note:
    """A signed note taken apart; nothing about its signatures is known yet."""

    text: str
    lines: Tuple[SignatureLine, ...]


def parse_note(note: str) -> Note:
    """Takes a note apart: the text, an empty line, one or more signature lines. Raises NoteError."""
    if len(note) > MAX_NOTE_CHARS:
        raise NoteError("the note is too long")
    text, separator, tail = note.rpartition("\n\n")
    if not separator or not tail.endswith("\n"):
        raise NoteError("there is no empty line followed by signature lines")
    lines = tail[:-1].split("\n")
    if len(lines) > MAX_SIGNATURE_LINES:
        raise NoteError("the note has too many signature lines")
    return Note(text + "\n", tuple(parse_signature_line(line) for line in lines))


def parse_signature_line(line: str) -> SignatureLine:
    """Reads `— <name> <base64>`; the base64 must be the canonical one. Raises NoteError."""
    parts = line.split(" ")
    if len(parts) != 3 or parts[0] != EM_DASH or not parts[1] or "+" in parts[1]:
        raise NoteError("a signature line is not a dash, a name and base64")
    if any(character.isspace() for character in parts[1]):
        raise NoteError("the name in a signature line has a space")
    data = canonical_base64(parts[2])
    if data is None or len(data) < 5:
        raise NoteError("a signature line does not end in base64")
    return SignatureLine(parts[1], data[:4], data[4:])


def canonical_base64(text: str) -> Optional[bytes]:
    """The bytes of standard base64 with padding, or None where the text is not exactly what encoding them gives."""
    try:
        encoded = text.encode("ascii")
        data = b64decode(encoded, validate=True)
    except (UnicodeEncodeError, binascii.Error, ValueError):
        return None
    return data if b64encode(data) == encoded else None


def key_id(operator: str, public_key: bytes) -> bytes:
    """The key id of an operator's Ed25519 key (fairness section 3)."""
    return sha256(operator.encode("utf-8", "replace") + b"\n\x01" + public_key).digest()[:4]


def witness_key_id(name: str, public_key: bytes) -> bytes:
    """The key id of a witness's key (fairness section 5)."""
    return sha256(name.encode("utf-8", "replace") + b"\n\xff" + WITNESS_TYPE + public_key).digest()[:4]


def signed_by(note: Note, operator: str, public_key: bytes) -> bool:
    """Whether a note carries a signature of this key, and no wrong one under its name and key id."""
    wanted = key_id(operator, public_key)
    own = [line for line in note.lines if line.name == operator and line.key_id == wanted]
    message = note.text.encode("utf-8", "replace")
    return bool(own) and all(ed25519.verify(public_key, message, line.data) for line in own)


def witness_time(line: SignatureLine, name: str, public_key: bytes, text: str) -> Optional[int]:
    """The time at which a witness signed this text, or None where the line is no valid signature of that witness."""
    if line.name != name or line.key_id != witness_key_id(name, public_key) or len(line.data) != 72:
        return None
    time = int.from_bytes(line.data[:8], "big")
    message = b"%s\ntime %d\n" % (WITNESS_TYPE, time) + text.encode("utf-8", "replace")
    return time if ed25519.verify(public_key, message, line.data[8:]) else None
