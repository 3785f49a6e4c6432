"""The vectors of the protocol, and the trust with which they are judged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Dict, List

from fairball.bundle import Trust, trust_of

VECTORS = Path(__file__).resolve().parents[3] / "domain" / "vectors" / "fairness-v2"


def vector(name: str) -> Any:
    return json.loads((VECTORS / name).read_text("utf-8"))


INDEX: Dict[str, Any] = vector("index.json")
CASES: List[Dict[str, Any]] = INDEX["cases"]
TRUST: Trust = trust_of(INDEX["default_trust"])


def trust_for(case: Dict[str, Any]) -> Trust:
    return TRUST if case["trust"] == "default" else trust_of(case["trust"])


def bundle_bytes(name: str) -> bytes:
    return (VECTORS / f"bundle-{name}.json").read_bytes()
