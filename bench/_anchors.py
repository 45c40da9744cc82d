"""Other engines to measure against, in a temporary environment. They are not part of the project."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HEARTS = """
import random, sys, time
import pyspiel
game, pick, clock = pyspiel.load_game("hearts"), random.Random(1).choice, time.process_time
def measure(seconds):
    decisions, start = 0, clock()
    while clock() - start < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(pick(state.chance_outcomes())[0])
            else:
                state.apply_action(pick(state.legal_actions()))
                decisions += 1
    return decisions / (clock() - start)
"""

# RLCard's own way to play at random: an environment that runs its random agents.
UNO = """
import random, sys, time
import rlcard
from rlcard.agents import RandomAgent
env, clock = rlcard.make("uno"), time.process_time
env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])
def measure(seconds):
    decisions, start = 0, clock()
    while clock() - start < seconds:
        seen, _ = env.run(is_training=False)
        decisions += sum(len(states) // 2 for states in seen)
    return decisions / (clock() - start)
"""

# The same environment stepped by hand, without its agents: quicker, for the note.
UNO_BY_HAND = """
import random, sys, time
import rlcard
env, pick, clock = rlcard.make("uno"), random.Random(1).choice, time.process_time
def measure(seconds):
    decisions, start = 0, clock()
    while clock() - start < seconds:
        state, _ = env.reset()
        while not env.is_over():
            state, _ = env.step(pick(list(state["legal_actions"])))
            decisions += 1
    return decisions / (clock() - start)
"""

SERVE = """
for line in sys.stdin:
    print(measure(float(line)), flush=True)
"""


class Anchor:
    """One engine in its own process, measured on request, so that rounds can alternate."""

    def __init__(self, python: Path, code: str) -> None:
        self._process = subprocess.Popen(
            [python, "-W", "ignore", "-c", code + SERVE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def measure(self, seconds: float) -> float:
        """Decisions per second of random play."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{seconds}\n")
        self._process.stdin.flush()
        return float(self._process.stdout.readline())

    def close(self) -> None:
        self._process.terminate()
        self._process.wait()


class Anchors:
    """``with Anchors() as anchors``: the engines that could be installed, by name; they are deleted afterwards."""

    WANTED = {
        "OpenSpiel hearts": ("open_spiel", HEARTS),
        "RLCard uno": ("rlcard", UNO),
        "RLCard uno by hand": ("rlcard", UNO_BY_HAND),
    }

    def __enter__(self) -> dict[str, Anchor]:
        self._folder = Path(tempfile.mkdtemp(prefix="bench-anchors-"))
        self._found: dict[str, Anchor] = {}
        uv = Path(sys.executable).parent / "uv"
        python = self._folder / "bin" / "python"
        if uv.exists() and self._run(uv, "venv", "-q", "--python", sys.executable, str(self._folder)):
            for name, (package, code) in self.WANTED.items():
                if self._run(uv, "pip", "install", "-q", "--python", str(python), package, "numpy", "pip"):
                    anchor = Anchor(python, code)
                    try:
                        anchor.measure(0.05)
                    except (ValueError, OSError):
                        anchor.close()
                    else:
                        self._found[name] = anchor
        return self._found

    def __exit__(self, *_: object) -> None:
        for anchor in self._found.values():
            anchor.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    @staticmethod
    def _run(*command: object) -> bool:
        try:
            done = subprocess.run([str(part) for part in command], capture_output=True, timeout=600, check=False)
        except (OSError, subprocess.TimeoutExpired):
            return False
        return done.returncode == 0
