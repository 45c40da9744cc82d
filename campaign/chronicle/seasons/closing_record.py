"""What closing a season writes down: standings, titles and the story, as one table of plain values."""

from __future__ import annotations

from typing import Any

from campaign.annals.chapters import Chapter
from campaign.annals.fought import is_battle
from campaign.annals.standings import standings
from campaign.annals.story import story
from campaign.annals.tales import Names
from campaign.annals.titles import titles


def page(chapter: Chapter) -> dict[str, Any]:
    """A season ready to draw. Kept when it closes; while it is open, drawn anew each time."""
    state = chapter.after
    winner = state.winner if state.winner and state.winner != chapter.before.winner else None
    return {
        "season": chapter.season,
        "name": chapter.name,
        "war": chapter.war,
        "new_war": chapter.new_war,
        "opened_on": chapter.opened.played_on,
        "opened": chapter.opened.number,
        "closed_on": chapter.closed.played_on if chapter.closed else "",
        "closed": chapter.closed.number if chapter.closed else 0,
        "battles": sum(map(is_battle, chapter.lines)),
        "winner": Names(state).kingdom(winner) if winner else "",
        "ranks": [rank.as_json() for rank in standings(state, chapter.lines)],
        "titles": [given.as_json() | {"kingdoms": list(given.kingdoms), "entries": list(given.entries)} for given in titles(chapter)],
        "story": [[{"text": s.text, "entry": s.entry} for s in paragraph] for paragraph in story(chapter)],
    }  # fmt: skip
