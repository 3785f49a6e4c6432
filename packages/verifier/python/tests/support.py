"""The vectors of the protocol, and the trust with which they are judged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Dict, List, Optional

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


def findings_of(report: Dict[str, Any]) -> List[Dict[str, Any]]:
    """The status of each check: of the log, then of each draw."""
    return [
        {check: found["status"] for check, found in part["checks"].items()} for part in [report, *report["draws"]]
    ]


def findings_of_judged(name: str) -> List[Dict[str, Any]]:
    """The status of each check of a judged bundle, which `checks.json` gives as changes of the honest bundle's."""
    honest = findings_of(vector("honest-report.json"))
    given = vector("checks.json").get(name)
    if given is None:
        return [{}]
    return [_changed(honest[place], changes) for place, changes in enumerate([given["log"], *given["draws"]])]


def _changed(findings: Dict[str, Any], changes: Dict[str, Optional[str]]) -> Dict[str, Any]:
    groups = tuple(check[:-1] for check in changes if check.endswith("*"))
    found = {check: status for check, status in findings.items() if not check.startswith(groups)}
    found.update({check: status for check, status in changes.items() if check not in ("outcome", "numbers")})
    return {check: status for check, status in found.items() if status is not None}
