"""Checks a journal and a month's statement of it without any code of the product.

Reads {"csv": text, "statement": {...}} and writes what it found: {"sha256", "rows", "problems"}.
"""

import csv
import hashlib
import io
import json
import sys
from collections import defaultdict

HASHED = ["transfer", "at", "event", "key", "account", "subject", "sats"]


def fiat_of(sats, rate):
    """Hundredths, half up by size."""
    size = (2 * abs(sats) * 100 + rate) // (2 * rate)
    return size if sats >= 0 else -size


def hundredths(text):
    whole, _, rest = text.partition(".")
    size = int(whole.lstrip("-")) * 100 + int(rest)
    return -size if text.startswith("-") else size


def main():
    given = json.load(sys.stdin)
    statement, problems = given["statement"], []
    rows = list(csv.DictReader(io.StringIO(given["csv"], newline="")))

    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(HASHED)
    sums, moved, of_event = defaultdict(int), defaultdict(int), defaultdict(int)
    for row in rows:
        writer.writerow([row[name] for name in HASHED])
        sats = int(row["sats"])
        sums[row["transfer"]] += sats
        moved[row["account"]] += sats
        of_event[(row["event"], row["account"])] += sats
        if row["rate_sats"] and hundredths(row["fiat"]) != fiat_of(sats, int(row["rate_sats"])):
            problems.append(f"{row['transfer']}: {row['fiat']} is not {sats} at {row['rate_sats']}")
    problems += [f"transfer {number} sums to {total}" for number, total in sums.items() if total != 0]

    opening = {row["account"]: row["sats"] for row in statement["opening"]}
    closing = {row["account"]: row["sats"] for row in statement["closing"]}
    lines = {line["key"]: line for line in statement["lines"]}
    by_lines = defaultdict(int)
    for line in lines.values():
        for part in line["accounts"]:
            by_lines[part["account"]] += part["sats"]
    for account in set(opening) | set(closing) | set(moved):
        left = opening.get(account, 0) + moved[account] - closing.get(account, 0)
        if left != 0:
            problems.append(f"{account}: opening and movements miss the closing by {left}")
        if by_lines[account] != moved[account]:
            problems.append(f"{account}: the lines have {by_lines[account]}, the journal {moved[account]}")
    for name, balances in (("opening", opening), ("closing", closing)):
        if sum(balances.values()) != 0:
            problems.append(f"{name} sums to {sum(balances.values())}")
    wanted = {
        "stakes": of_event[("order.paid", "stakes_held")],
        "fixed_prizes": of_event[("draw.fixed-prizes", "winnings")],
        "jackpots": of_event[("draw.jackpot", "winnings")],
        "fees_set_aside": of_event[("draw.closed", "fee_reserve")],
        "losses": moved["losses"],
    }
    for key, sats in wanted.items():
        if lines[key]["sats"] != sats:
            problems.append(f"{key} is {lines[key]['sats']}, the journal has {sats}")
    prizes = sum(lines[key]["sats"] for key in ("fixed_prizes", "jackpots", "free_tickets"))
    if lines["gross_gaming_revenue"]["sats"] != lines["stakes"]["sats"] - prizes:
        problems.append("the gross gaming revenue is not stakes less prizes")
    json.dump(
        {"sha256": hashlib.sha256(out.getvalue().encode()).hexdigest(), "rows": len(rows), "problems": problems},
        sys.stdout,
    )


main()
