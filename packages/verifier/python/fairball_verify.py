#!/usr/bin/env python3
"""Verifies draws of Fairball with nothing but Python's standard library.

    python3 fairball_verify.py FILE... [--trust FILE] [--json]
    python3 fairball_verify.py --from URL [--draw DRAW]... [--trust FILE] [--save FILE] [--json]

Exit codes: 0 proved, 1 failed, 2 broken or unreadable, 3 holds, 4 not yet; for several files the worst.
"""

from fairball.command import main

if __name__ == "__main__":
    raise SystemExit(main())
