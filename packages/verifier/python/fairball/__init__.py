"""The draw protocol of Fairball (docs/fairness.md, version 1) in Python's standard library alone.

Written from that page, not from the other implementation, and sharing no code with it: where the two disagree,
one of them is wrong. Everything here is pure: no files, network, clock or randomness.
"""
