"""A report in plain English: one line for each check, then the outcome."""

from __future__ import annotations

from typing import List

from .findings import FAILED, HOLDS, IS_BROKEN, NOT_YET, PASS, PROVED, UNKNOWN, WARN, DrawReport, Findings, Report

TITLES = {
    "log.head": "The head of the log is signed by the operator's key",
    "log.member": "Every statement lies in the log",
    "log.order": "The log's leaves are statements, in the order of their times",
    "log.keys": "Each key of the log was promised by the one before",
    "log.remembered": "The log was not rewritten since you kept its head",
    "papers.form": "Promises and receipts are well formed",
    "open.form": "The draw was opened by a statement",
    "open.rules": "The rules were announced in time",
    "open.policy": "The policy of witnesses is the one the draw names",
    "open.times": "End of sales and start keep to the rules",
    "beacon.chain": "The random number comes from the public beacon",
    "open.round": "The beacon's round follows from the start",
    "open.postponed": "Each postponement was decided before the random number was known",
    "seal.range": "Nothing is hidden between the end of sales and the end of the draw",
    "seal.once": "The draw was sealed and ended once",
    "seal.seed": "The seed is the one committed to",
    "seal.time": "The draw was closed in time",
    "seal.witnesses": "The draw's own witnesses cosigned it in time",
    "seal.seen": "You, or witnesses you trust, saw the close before the random number",
    "plays.leaves": "Every play is well formed",
    "plays.root": "The plays are those that were sealed",
    "plays.revoked": "Revoked plays are those that the close says",
    "plays.counts": "The lines add up",
    "plays.sold": "Every batch sold is still in the draw",
    "plays.rate": "No play has a rate far from that of the close",
    "money.stake": "The stakes add up",
    "money.pool": "The pool follows from stakes and pot",
    "money.state": "The game's books follow from the draw before",
    "money.free": "No more free tickets are used than were won",
    "money.rate": "The exchange rate follows from its sources",
    "money.guarantee": "What is guaranteed follows from the rules",
    "beacon.signature": "The random number is the beacon's",
    "result.form": "The result came after the random number, once",
    "result.numbers": "The numbers follow from seed and random number",
    "result.sections": "The sections add up",
    "result.tiers": "Winners and prizes follow from the plays",
    "result.state": "What is left in the pot follows",
    "void.state": "The books follow from the void",
    "void.reason": "The draw was given up for a reason that anybody can see",
    "paid.won": "What the operator says was won is what was won",
    "receipt.signature": "The receipts are signed by the operator",
    "receipt.leaf": "The plays lie where their receipts say",
    "receipt.owner": "The plays belong to the owner of the receipts",
    "receipt.moved": "No play was moved without a word",
    "promise.signature": "The promises are signed by the operator",
    "promise.kept": "Plays that were paid are in the draw as promised",
}

SIGNS = {PASS: "ok", WARN: "look", UNKNOWN: "unknown", "wait": "wait", "fail": "FAILED", "broken": "BROKEN"}

SENTENCES = {
    PROVED: "Proved. Nobody chose these numbers, and every satoshi follows from what is public.",
    HOLDS: "It holds: nothing here speaks against it, but not everything is proved.",
    NOT_YET: "Not yet: the draw is not over.",
    FAILED: "Failed: what the operator signed breaks the rules. Keep this file: it is evidence.",
    IS_BROKEN: "Broken: this file is not what the operator signed, or lacks a part of it. It accuses nobody.",
}


def as_text(report: Report) -> str:
    """The report for people."""
    lines: List[str] = []
    if report.malformed:
        lines.append(f"This file cannot be judged. {report.malformed}.")
    lines += _checks(report.findings)
    for number, draw in enumerate(report.draws, 1):
        lines += ["", f"Draw {number} of {len(report.draws)} in this file, opened by {draw.open}"]
        lines += _checks(draw.findings)
        if draw.numbers:
            lines.append(f"  Numbers: {', '.join(map(str, draw.numbers))}")
        lines.append(f"  {sentence(draw.outcome, [draw])}")
    lines += ["", sentence(report.outcome, report.draws)]
    return "\n".join(plain(line) for line in lines)


def sentence(outcome: str, draws: List[DrawReport]) -> str:
    """The meaning of an outcome; if it is `holds`, with the reasons."""
    if outcome != HOLDS:
        return SENTENCES[outcome]
    reasons: List[str] = []
    for draw in draws:
        unknown = [reason.split(":")[0] for reason in draw.findings.reasons()]
        counted, total = draw.sections_counted
        if any(check.startswith("seal.") or check == "open.postponed" for check in unknown):
            reasons.append("when it was sealed is not proved")
        if any(check.startswith("plays.") for check in unknown):
            reasons.append(f"only {counted} of {total} sections were counted here")
        if any(check.startswith("void.") for check in unknown):
            reasons.append("why it was given up is not proved")
        if draw.private_beacon:
            reasons.append("it uses a private beacon")
    if not reasons:
        return SENTENCES[HOLDS]
    return f"It holds, but {'; '.join(dict.fromkeys(reasons))}."


def _checks(findings: Findings) -> List[str]:
    lines = []
    for check, finding in findings.items():
        why = f": {finding.why}" if finding.why else ""
        lines.append(f"  {SIGNS[finding.status]:8} {check:18} {TITLES[check]}{why}")
    return lines


def plain(text: str) -> str:
    """The visible ASCII of a text from a file or operator: terminals can act on other characters."""
    return "".join(character if " " <= character <= "~" else "?" for character in text)
