"""Why a bot chose what it chose, in words, after the game. It looks again at what its seat saw then."""

import math
from collections.abc import Mapping, Sequence

from cardgames.bots.bot_context import bot_context_of
from cardgames.bots.monte_carlo import MonteCarloBot
from cardgames.engine import FastRng, RunningTable, SentenceBuilder

# Enough to say what the bot weighed; the page must not wait for it.
ROLLOUTS = 24
SECONDS = 0.4
MAX_NAMED = 3


def explain_move(running: RunningTable, seat: int, key: str, level: str, names: Sequence[str]) -> list[str]:
    """Sentences for the choice ``key`` of a bot of this level. ``running`` is the table just before it."""
    view, game, deck = running.view(seat), running.game, running.record.deck
    if view.question is None or key not in view.question.keys:
        return []
    if len(view.question.keys) == 1:
        return ["It had no other choice."]
    faces = {face.id: face.name for face in game.faces(deck)}
    question = game.describe_question(view, SentenceBuilder(names, faces, None, game.labels), deck)
    label = {choice.key: choice.label for choice in question.choices}
    if level == "random":
        return [f"An Easy bot takes any of its {len(label)} choices, without a reason."]
    if level == "thinker" and view.question.kind not in game.settled_by_rating:
        bot = MonteCarloBot(rollouts=ROLLOUTS, seconds=SECONDS)
        values = dict(bot.rate(view, bot_context_of(running, seat), FastRng(running.version)))
        return _about_imagined(values, key, label)
    return _about_ratings(game.rate_choices(view, deck), key, label, "Hard" if level == "thinker" else "Medium")


def _about_ratings(weights: Mapping[str, float], key: str, label: Mapping[str, str], level: str) -> list[str]:
    """A Medium bot, or a Hard one where there is nothing to imagine: the best right now."""
    best = max(weights.values())
    equal = [other for other in weights if weights[other] >= best]
    if key not in equal:
        return [f"Here a {level} bot takes what is best right now."]
    if len(equal) > 1:
        return [f"Right now {len(equal)} choices looked equally good to it. It took one of them."]
    others = sorted((other for other in weights if other != key), key=lambda other: -weights[other])
    second = others[0]
    if weights[second] == -math.inf:
        return [f"Nothing but “{label[key]}” did its side any good."]
    return [
        f"“{label[key]}” did most for its side right now ({weights[key]:+.1f} points by its count).",
        f"Next best was “{label[second]}” ({weights[second]:+.1f}).",
    ]


def _about_imagined(values: dict[str, float], key: str, label: Mapping[str, str]) -> list[str]:
    """A Hard bot: how the imagined games went."""
    order = sorted(values, key=lambda other: -values[other])
    named = [f"“{label[other]}” {values[other]:.0%}" for other in order[:MAX_NAMED] if other in label]
    lines = [f"It imagined how the game could go on. Looking again, its prospects are: {', '.join(named)}."]
    if key not in values:
        lines.append("Now it would rather compare other choices: its picture of the hidden cards differs each time.")
    elif order[0] != key:
        lines.append("The difference is small: with other imagined deals another choice comes out ahead.")
    return lines
