"""The results of checks, and the outcomes of draws and files (section 11)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, List, Sequence, Tuple

PASS, WARN, UNKNOWN, WAIT, FAIL, BROKEN = "pass", "warn", "unknown", "wait", "fail", "broken"
SEVERITY = {PASS: 0, WARN: 1, UNKNOWN: 2, WAIT: 3, FAIL: 4, BROKEN: 5}

PROVED, HOLDS, NOT_YET, FAILED, IS_BROKEN = "proved", "holds", "not yet", "failed", "broken"
WORST_FIRST = (IS_BROKEN, FAILED, NOT_YET, HOLDS, PROVED)

COUNTED = ("open.", "seal.", "plays.", "beacon.", "void.")
"""Checks whose `unknown` keeps a draw from being proved."""

ORDER = (
    "log.head log.member log.order log.keys log.remembered papers.form "
    "open.form open.rules open.policy open.times beacon.chain open.round open.postponed "
    "seal.range seal.once seal.seed seal.time seal.witnesses seal.seen "
    "plays.leaves plays.root plays.revoked plays.counts plays.sold plays.rate "
    "money.stake money.pool money.state money.free money.rate money.guarantee beacon.signature "
    "result.form result.numbers result.sections result.tiers result.state void.state void.reason paid.won "
    "receipt.signature receipt.leaf receipt.owner receipt.moved promise.signature promise.kept"
).split()


@dataclass(frozen=True)
class Finding:
    status: str
    why: str = ""


class Findings:
    """The result of each check; of several findings for one check, the worst is kept."""

    def __init__(self) -> None:
        self._found: Dict[str, Finding] = {}

    def add(self, check: str, status: str, why: str = "") -> None:
        known = self._found.get(check)
        if known is None or SEVERITY[status] > SEVERITY[known.status]:
            self._found[check] = Finding(status, why)

    def judge(self, check: str, holds: bool, why: str, otherwise: str = FAIL) -> bool:
        """Adds a pass, or another status if the condition does not hold; returns whether it holds."""
        self.add(check, PASS if holds else otherwise, "" if holds else why)
        return holds

    def status(self, check: str) -> str:
        """The status of a check; empty if it was not judged."""
        finding = self._found.get(check)
        return finding.status if finding else ""

    def passed(self, check: str) -> bool:
        return self.status(check) in (PASS, WARN)

    def items(self) -> List[Tuple[str, Finding]]:
        return sorted(self._found.items(), key=lambda item: ORDER.index(item[0]))

    def of(self, status: str) -> List[str]:
        return [check for check, finding in self.items() if finding.status == status]

    def reasons(self) -> List[str]:
        """The reasons why a draw that only holds is not proved."""
        excused = "seal.witnesses" if self.status("seal.seen") == PASS else ""
        return [
            f"{check}: {finding.why}"
            for check, finding in self.items()
            if finding.status == UNKNOWN and check.startswith(COUNTED) and check != excused
        ]


def outcome_of(*parts: Findings) -> str:
    """The outcome of several groups of findings."""
    if any(part.of(BROKEN) for part in parts):
        return IS_BROKEN
    if any(part.of(FAIL) for part in parts):
        return FAILED
    if any(part.of(WAIT) for part in parts):
        return NOT_YET
    if any(part.reasons() for part in parts):
        return HOLDS
    return PROVED


def worst(outcomes: Sequence[str]) -> str:
    return min(outcomes, key=WORST_FIRST.index)


@dataclass
class DrawReport:
    open: str
    findings: Findings
    outcome: str = ""
    numbers: Tuple[int, ...] = ()
    sections_counted: Tuple[int, int] = (0, 0)
    private_beacon: bool = False


@dataclass
class Report:
    """The report on a file."""

    findings: Findings = field(default_factory=Findings)
    draws: List[DrawReport] = field(default_factory=list)
    malformed: str = ""
    """The reason why the file is not one of section 12; empty if it is."""

    @property
    def outcome(self) -> str:
        if self.malformed:
            return IS_BROKEN
        own = outcome_of(self.findings)
        return worst([own] + [draw.outcome for draw in self.draws])

    def reasons(self) -> List[str]:
        if self.malformed:
            return [self.malformed]
        return [reason for draw in self.draws for reason in draw.findings.reasons()]

    def of(self, status: str) -> List[str]:
        """The checks with a status, each once, in the order in which they were found."""
        parts = [self.findings] + [draw.findings for draw in self.draws]
        return list(dict.fromkeys(check for part in parts for check in part.of(status)))

    def as_json(self) -> Dict[str, Any]:
        return {
            "outcome": self.outcome,
            "reasons": self.reasons(),
            "checks": _as_json(self.findings),
            "draws": [_draw_as_json(draw) for draw in self.draws],
            "failed": self.of(FAIL),
            "warned": self.of(WARN),
            "broken": self.of(BROKEN),
        }


def _draw_as_json(draw: DrawReport) -> Dict[str, Any]:
    value: Dict[str, Any] = {"open": draw.open, "outcome": draw.outcome, "checks": _as_json(draw.findings)}
    if draw.numbers:
        value["numbers"] = list(draw.numbers)
    return value


def _as_json(findings: Findings) -> Dict[str, Any]:
    return {check: {"status": finding.status, "why": finding.why} for check, finding in findings.items()}
