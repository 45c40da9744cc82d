"""``make faults``: break a site under load in every way we know, one table and a verdict."""

from __future__ import annotations

import signal
import sys

from tests.faults.faults import embedded_faults, production_faults


def main() -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # stops what was started, too
    print("form        fault                      written  lost  doubled  holes     recovery  machine")
    outcomes = []
    for faults in (embedded_faults, production_faults):
        for outcome in faults():
            outcomes.append(outcome)
            print(outcome, flush=True)
    passed = all(outcome.passed for outcome in outcomes)
    print("Passed." if passed else "FAILED.")
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
