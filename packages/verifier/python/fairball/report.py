"""The report on a draw: seven steps, each with its checks (fairness section 10)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional

PASSED, FAILED, UNCHECKED = "passed", "failed", "unchecked"
WORDS = {PASSED: "passed", FAILED: "FAILED", UNCHECKED: "not checkable here"}
MAX_SHOWN = 5
"""How many problems of one kind a report lists."""
STEPS = ("log", "open", "close", "beacon", "numbers", "prizes", "receipts")


def outcome_of(outcomes: List[str]) -> str:
    """Failed where anything failed; passed where everything passed; unchecked where something could not be checked."""
    if FAILED in outcomes:
        return FAILED
    return PASSED if outcomes and all(outcome == PASSED for outcome in outcomes) else UNCHECKED


def listed(problems: List[str]) -> Optional[str]:
    """The first problems of a list, or None where there is none."""
    rest = len(problems) - MAX_SHOWN
    more = [f"and {rest} more"] if rest > 0 else []
    return "\n".join(problems[:MAX_SHOWN] + more) if problems else None


@dataclass(frozen=True)
class Check:
    """One thing that was looked at."""

    id: str
    title: str
    outcome: str
    detail: str


@dataclass
class Step:
    """One step of section 10 and its checks, in the order they were made."""

    name: str
    checks: List[Check] = field(default_factory=list)

    @property
    def outcome(self) -> str:
        return outcome_of([check.outcome for check in self.checks])

    @property
    def told(self) -> str:
        """The outcome in words."""
        left = sum(check.outcome == UNCHECKED for check in self.checks)
        if self.outcome == UNCHECKED and left < len(self.checks):
            return f"nothing failed, {left} not checkable here"
        return WORDS[self.outcome]


@dataclass
class Report:
    """Everything that was found about one draw."""

    game: str
    draw: int
    steps: List[Step] = field(default_factory=lambda: [Step(name) for name in STEPS])
    numbers: Optional[List[int]] = None
    """The balls in the order drawn, computed here, or None where they cannot be yet."""

    @property
    def outcome(self) -> str:
        return outcome_of([step.outcome for step in self.steps])

    def add(self, step: str, id: str, title: str, outcome: str, detail: str = "") -> None:
        """Adds a check to a step."""
        self.steps[STEPS.index(step)].checks.append(Check(f"{step}.{id}", title, outcome, detail))

    def expect(self, step: str, id: str, title: str, problem: Optional[str], detail: str = "") -> None:
        """Adds a check that failed where there is a problem and passed where there is none."""
        if problem is None:
            self.add(step, id, title, PASSED, detail)
        else:
            self.add(step, id, title, FAILED, problem)

    def failed(self) -> List[str]:
        """The ids of the checks that failed."""
        return [check.id for step in self.steps for check in step.checks if check.outcome == FAILED]

    def as_json(self) -> Dict[str, Any]:
        """The report as plain values for JSON."""
        return {
            "game": self.game,
            "draw": self.draw,
            "outcome": self.outcome,
            "steps": [
                {
                    "name": step.name,
                    "outcome": step.outcome,
                    "checks": [
                        {"id": check.id, "title": check.title, "outcome": check.outcome, "detail": plain(check.detail)}
                        for check in step.checks
                    ],
                }
                for step in self.steps
            ],
            "numbers": self.numbers,
        }

    def as_text(self) -> str:
        """The report for reading in a terminal."""
        checks = [check for step in self.steps for check in step.checks]
        failed, left = (sum(check.outcome == word for check in checks) for word in (FAILED, UNCHECKED))
        summary = f"{failed} checks FAILED" if failed else "nothing failed"
        summary += f", {len(checks) - failed - left} passed, {left} not checkable here"
        lines = [f"{plain(self.game)}, draw {self.draw}: {summary}"]
        for number, step in enumerate(self.steps, 1):
            lines.append(f"{number}. {step.name}: {step.told}")
            for check in step.checks:
                lines.append(f"   [{WORDS[check.outcome]}] {check.title}")
                lines.extend("       " + plain(part) for part in check.detail.split("\n") if part)
        if self.numbers is not None:
            lines.append("numbers: " + ", ".join(map(str, self.numbers)))
        return "\n".join(lines)


def plain(text: str, limit: int = 20_000) -> str:
    """Text that is safe to print whoever wrote it: printable ASCII and line ends only, and not too long."""
    shown = text if len(text) <= limit else text[:limit] + "..."
    return "".join(c if c == "\n" or " " <= c <= "~" else f"\\u{ord(c):04x}" for c in shown)
