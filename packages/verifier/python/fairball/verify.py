"""Verifies a bundle or evidence: all checks of section 11, in their order."""

from __future__ import annotations

from typing import Dict, List, Mapping, Optional, Sequence

from .accounts import judge_money
from .bundle import Bundle, Draw, Evidence, Trust, read_document
from .counting import count_plays
from .draw import open_draw, seal_draw
from .errors import Malformed
from .findings import BROKEN, FAIL, FAILED, DrawReport, Findings, Report, outcome_of
from .hashing import hash_text
from .log import DrawRange, Log, read_ranges
from .notes import is_signed_by_log, read_checkpoint
from .papers import Read, judge_papers, judge_unread, read_papers
from .results import judge_result

Roots = Mapping[int, Optional[bytes]]

NO_TRUST = Trust()
NO_ROOTS: Roots = {}


def verify_file(data: bytes, trust: Trust = NO_TRUST, roots: Roots = NO_ROOTS) -> Report:
    """Verifies the bytes of a bundle or of evidence. Any bytes lead to a report.

    `roots`: the log's root at some sizes, known from elsewhere; None if the log is shorter.
    """
    try:
        document = read_document(data)
    except Malformed as error:
        return Report(malformed=str(error))
    if isinstance(document, Evidence):
        return verify_evidence(document)
    return verify_bundle(document, trust, roots)


def verify_bundle(bundle: Bundle, trust: Trust = NO_TRUST, roots: Roots = NO_ROOTS) -> Report:
    """Verifies a bundle with the caller's trust."""
    report = Report()
    log = Log(bundle, trust, report.findings)
    report.draws = [DrawReport(draw.open, Findings()) for draw in bundle.draws]
    if log.is_usable:
        ranges = [read_ranges(log, draw) for draw in bundle.draws]
        _remember(log, trust, ranges, roots)
        papers = read_papers(bundle.papers, log, report.findings)
        texts = {hash_text(text): text for text in bundle.texts}
        judged = [
            draw.open
            for draw, draw_range, draw_report in zip(bundle.draws, ranges, report.draws)
            if _draw(log, trust, draw, draw_range, texts, papers, draw_report)
        ]
        judge_unread(papers, judged, log, report.findings)
    elif log.findings.status("log.head") == BROKEN or log.findings.status("log.keys") == BROKEN:
        for draw, draw_report in zip(bundle.draws, report.draws):
            if draw.seal is not None:
                draw_report.findings.add("seal.range", BROKEN, "there is no head of the log to lead to")
    for draw_report in report.draws:
        draw_report.outcome = outcome_of(report.findings, draw_report.findings)
    return report


def _remember(log: Log, trust: Trust, ranges: Sequence[DrawRange], roots: Roots) -> None:
    """Compares the kept heads with every checkpoint that the bundle proves, and with the other known roots."""
    for one in ranges:
        for sealed in (*one.postpones, *([one.sealed] if one.sealed is not None else [])):
            log.remember(trust, sealed.checkpoint.size, sealed.checkpoint.root)
    for size, root in roots.items():
        log.remember(trust, size, root)


def _draw(
    log: Log,
    trust: Trust,
    draw: Draw,
    ranges: DrawRange,
    texts: Dict[str, str],
    papers: List[Read],
    report: DrawReport,
) -> bool:
    """Judges one draw; returns whether its papers were judged too."""
    opened = open_draw(log, trust, draw, texts, report)
    sealed = seal_draw(opened, ranges) if opened is not None else None
    if sealed is None:
        return False
    counted = count_plays(sealed)
    judge_money(sealed)
    judge_result(sealed, counted)
    judge_papers(sealed, counted, papers)
    return True


def verify_evidence(evidence: Evidence) -> Report:
    """Valid evidence ends failed; any other is broken and accuses no one."""
    if evidence.kind == "fork":
        return _fork(evidence)
    if evidence.bundle is None or not evidence.failed or evidence.notes:
        return Report(malformed="evidence: evidence of a draw has a bundle, failed checks and no notes")
    report = verify_bundle(evidence.bundle, Trust(key=evidence.key))
    if report.outcome != FAILED:
        return Report(malformed=f"evidence: its bundle does not end failed, but {report.outcome}")
    if not set(evidence.failed) <= set(report.of(FAIL)):
        return Report(malformed="evidence: its bundle does not fail each check that it names")
    return report


def _fork(evidence: Evidence) -> Report:
    if evidence.bundle is not None or evidence.failed or len(evidence.notes) != 2:
        return Report(malformed="evidence: a fork has two notes, no bundle and no failed checks")
    try:
        first, second = (read_checkpoint(note) for note in evidence.notes)
    except Malformed as error:
        return Report(malformed=f"evidence: {error}")
    if (first.origin, first.size) != (second.origin, second.size) or first.root == second.root:
        return Report(malformed="evidence: the notes are no two heads of one log and size with unlike roots")
    if not all(is_signed_by_log(one.note, one.origin, evidence.key) for one in (first, second)):
        return Report(malformed="evidence: the key did not sign both heads")
    report = Report()
    why = f"{first.origin} signed two heads of size {first.size} with unlike roots"
    report.findings.add("log.remembered", FAIL, why)
    return report
