"""Draws without a vector: several sections, and statements that only an operator's key can sign."""

import re
import unittest
from typing import Any, Dict
from unittest import mock

from fairball.findings import Report
from fairball.hashing import H, ZERO, tag
from fairball.verify import verify_file
from tests.support import TRUST
from tests.world import World, data_of, play_id, play_leaf, private_beacon, revocation_leaf, signed


def judge(bundle: Dict[str, Any]) -> Report:
    return verify_file(data_of(bundle), TRUST)


def sold_out(**change: Any) -> World:
    """Ten plays and a revocation of the first: three sections of up to four leaves."""
    return sell(World(change=change))


def sell(world: World) -> World:
    for number in range(10):
        lines = [[1 + number, 2 + number, 7 + number, 10 + number, 20 + number], [2, 7, 10, 28, 35]]
        world.leaves.append(play_leaf(world.opening, play_id(number), 3310, 0, lines))
    world.leaves.append(revocation_leaf(world.opening, play_id(0), 0))
    return world


class SectionsTest(unittest.TestCase):
    def setUp(self) -> None:
        for module in ("fairball.plays", "fairball.counting", "fairball.results", "tests.world"):
            patch = mock.patch(f"{module}.SECTION", 4)
            patch.start()
            self.addCleanup(patch.stop)

    def test_all_sections_together_prove_a_draw_with_or_without_their_file(self) -> None:
        for file in (False, True):
            report = judge(sold_out().drawn(file=file))
            self.assertEqual((report.outcome, report.draws[0].sections_counted), ("proved", (3, 3)))

    def test_some_sections_never_prove_a_draw(self) -> None:
        for parts, file in (([0], False), ([1], True), ([], True), ([], False)):
            report = judge(sold_out().drawn(parts, file))
            tiers = report.draws[0].findings.status("result.tiers")
            self.assertEqual((report.outcome, tiers), ("holds", "pass" if file else "unknown"))
            self.assertIn(f"only {len(parts)} of 3 sections were counted here", report.reasons()[0])

    def test_a_section_whose_revocation_is_in_another_one_accuses_no_one(self) -> None:
        found = judge(sold_out().drawn([0], True)).draws[0].findings
        self.assertEqual((found.status("plays.root"), found.status("result.sections")), ("pass", "unknown"))
        self.assertEqual(judge(sold_out().drawn([0, 2], True)).draws[0].findings.status("result.sections"), "pass")

    def test_changed_leaves_of_a_section_accuse_no_one(self) -> None:
        for file, outcome in ((False, "holds"), (True, "broken")):
            bundle = sold_out().drawn([0], file)
            part = bundle["draws"][0]["plays"]["parts"][0]
            part["leaves"] = part["leaves"].replace("AAAA", "////", 1)
            self.assertEqual(judge(bundle).outcome, outcome)

    def test_a_sections_file_other_than_the_results_is_broken(self) -> None:
        bundle = sold_out().drawn([1], True)
        other = sold_out(result=lambda text: re.sub("sections .*", f"sections {'00' * 32}", text)).drawn([1], True)
        self.assertEqual(judge(other).of("broken"), ["result.sections"])
        bundle["draws"][0]["plays"]["sections"] = None
        self.assertEqual(judge(bundle).outcome, "holds")

    def test_a_section_with_a_wrong_number_or_length_is_broken(self) -> None:
        for change in (
            lambda parts: parts[0].update(section=3),
            lambda parts: parts[1].update(section=0),
            lambda parts: parts[0].update(leaves=parts[2]["leaves"]),
            lambda parts: parts[0].update(leaves=parts[0]["leaves"][:-4]),
        ):
            bundle = sold_out().drawn()
            change(bundle["draws"][0]["plays"]["parts"])
            self.assertEqual(judge(bundle).of("broken"), ["plays.root"])


class PrivateBeaconTest(unittest.TestCase):
    """Draws with the tests' private beacon: they only hold, and any round can be drawn."""

    def world(self, **change: Any) -> World:
        return sell(World(change=change, beacon=private_beacon()))

    def judge(self, world: World) -> Report:
        report = judge(world.bundle())
        self.assertTrue(any("a private beacon" in reason for reason in report.reasons()), report.as_json())
        return report

    def unknown(self, report: Report) -> "list[str]":
        return [check for draw in report.draws for check in draw.findings.of("unknown")]

    def test_a_private_beacon_leaves_no_other_check_unknown(self) -> None:
        world = self.world()
        world.drawn()
        report = self.judge(world)
        self.assertEqual((report.outcome, self.unknown(report)), ("holds", ["beacon.chain"]))

    def test_a_draw_postponed_in_time_is_drawn_with_its_second_close(self) -> None:
        world = self.world()
        world.close()
        world.postpone(1692806200)
        world.close(1692806300)
        world.result(1692807200)
        report = self.judge(world)
        self.assertEqual((report.outcome, self.unknown(report)), ("holds", ["beacon.chain"]))

    def test_a_postponement_that_no_witness_saw_in_time_is_unknown(self) -> None:
        world = self.world()
        world.close()
        world.postpone(1692806370)
        world.close(1692806400)
        world.result(1692807400)
        self.assertEqual(self.unknown(self.judge(world)), ["beacon.chain", "open.postponed"])

    def test_a_third_postponement_fails(self) -> None:
        world = self.world()
        for time in (1692806200, 1692806300, 1692806400):
            world.postpone(time)
        world.close(1692806500)
        world.postpones = []
        self.assertIn("open.postponed", self.judge(world).of("fail"))

    def test_a_postponed_close_no_longer_counts(self) -> None:
        world = self.world()
        world.close()
        world.postpone(1692806200)
        world.postpones = []
        self.assertEqual(self.judge(world).outcome, "not yet")

    def test_a_void_for_lack_of_a_beacon_comes_after_seven_days(self) -> None:
        for time, outcome in ((1692806362 + 604_800, "holds"), (1692806362 + 604_799, "failed")):
            world = self.world()
            world.close()
            state = f"1 1 {read_pool(world)} 0 0 {20 - 2}"
            world.void(time, "beacon", world.closes[0], state)
            report = self.judge(world)
            failed = [] if outcome == "holds" else ["void.reason"]
            self.assertEqual((report.outcome, report.of("fail")), (outcome, failed))

    def test_a_void_names_the_newest_close_that_was_not_postponed(self) -> None:
        for put_off, failed in ((False, ["void.state"]), (True, [])):
            world = self.world()
            world.close()
            if put_off:
                world.postpone(1692806200)
            world.void(1692806250, "outage", ZERO, "1 1 0 0 0 0")
            self.assertEqual(self.judge(world).of("fail"), failed)

    def test_a_chain_whose_hash_does_not_match_fails(self) -> None:
        world = self.world(chain=lambda text: text.replace("period 3", "period 30"))
        self.assertEqual(judge(world.drawn()).of("fail"), ["beacon.chain"])


def read_pool(world: World) -> str:
    return re.findall(r"\npool (\d+)", world.log[-1])[0]


class OperatorTest(unittest.TestCase):
    def test_signed_statements_that_break_the_rules_are_never_proved(self) -> None:
        cases = (
            ("close", "added 0", "added 1", "money.pool"),
            ("close", "added 0", "added 2100000000000000", "money.pool"),
            ("close", "short 0", "short 2100000000000000", "money.guarantee"),
            ("close", "coinbase.com=", "bitstamp.net=", "money.rate"),
            ("close", "@1692806036", "@1692805165", "money.rate"),
            ("open", "draw 1", "draw 2", "money.state"),
            ("open", "start 1692806362", "start 1692806422", "open.times"),
            ("open", "sources bitstamp.net,coinbase.com,kraken.com", "sources bitstamp.net", "open.times"),
            ("game", "reason new", "reason retire", "open.rules"),
            ("game", "from 1692803430", "from 1692806363", "open.rules"),
            ("result", "time 1692806524", "time 1692806363", "result.form"),
            ("result", "left ", "left 1", "result.state"),
        )
        for kind, old, new, check in cases:
            report = judge(sold_out(**{kind: lambda text, old=old, new=new: text.replace(old, new, 1)}).drawn())
            self.assertEqual(report.outcome, "failed", (kind, new))
            self.assertIn(check, report.of("fail"), (kind, new))

    def test_unbounded_numbers_end_with_a_report(self) -> None:
        huge = str(2**53 - 1)
        for kind, pattern in (
            ("close", r"(?<=size )\d+"),
            ("close", r"(?<=round )\d+"),
            ("close", r"(?<=rate GBP )\d+"),
            ("open", r"(?<=start )\d+"),
            ("result", r"(?<=left )\d+"),
        ):
            world = sold_out(**{kind: lambda text, pattern=pattern: re.sub(pattern, huge, text)})
            report = judge(world.drawn(file=True))
            self.assertIn(report.outcome, ("failed", "broken"), pattern)

    def test_a_leaf_of_the_log_that_is_not_a_statement_or_is_duplicate_fails(self) -> None:
        for second in ("fairball/nothing/v2\n", None):
            world = sold_out()
            world.log.append(second or world.log[1])
            self.assertIn("log.order", judge(world.drawn()).of("fail"))


class PapersTest(unittest.TestCase):
    def test_a_paper_of_a_draw_outside_the_bundle_must_be_signed(self) -> None:
        text = (
            "fairball/receipt/v2\nlog lottery.example/fairball\ntime 1692804100\norder 1\n"
            f"promise {'00' * 32}\nopen {'11' * 32}\nplay {'22' * 16}\nleaf {'33' * 32}\nindex 0\n"
            f"statement {'44' * 32}\nsupersedes {'00' * 32}\nreason none\n"
        )
        paper = {"secret": None, "username": None, "lines": None, "path": [], "preimage": None}
        for note, outcome in ((signed(text), "proved"), (signed(text).replace("index 0", "index 1"), "broken")):
            bundle = sold_out().drawn()
            bundle["papers"].append({**paper, "note": note})
            self.assertEqual(judge(bundle).outcome, outcome)

    def test_the_lines_of_a_promise_are_compared_if_its_blind_opens_them(self) -> None:
        blind = "55" * 32
        for lines, outcome in (("1,2,7,10,20;2,7,10,28,35", "proved"), ("1,2,7,10,21;2,7,10,28,35", "failed")):
            world = World()
            world.leaves.append(play_leaf(world.opening, play_id(0), 3310, 0, [[1, 2, 7, 10, 20], [2, 7, 10, 28, 35]]))
            bundle = world.drawn()
            bundle["papers"].append(_promise(world, lines, blind))
            self.assertEqual(judge(bundle).outcome, outcome)
            bundle["papers"][0]["lines"] = lines + ";1,2,3,4,5"
            self.assertEqual(judge(bundle).outcome, "proved", "lines that the blind does not open are ignored")


def _promise(world: World, lines: str, blind: str) -> Dict[str, Any]:
    commitment = H(tag("fairball/lines/v2") + bytes.fromhex(blind) + lines.encode()).hex()
    text = (
        "fairball/promise/v2\nlog lottery.example/fairball\ntime 1692803700\norder 1\npay none\nsats 0\nrate GBP 3310\n"
        f"confirmations 0\nexpires 1692804600\nplay {world.opening} {play_id(0).hex()} 2 0 6620\n"
        f"lines {commitment}\npayto {'00' * 32}\nsecret {'00' * 32}\n"
    )
    return {"note": signed(text), "secret": blind, "username": None, "lines": lines, "path": [], "preimage": None}


if __name__ == "__main__":
    unittest.main()
