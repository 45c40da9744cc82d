"""The two ways of data in ARCHITECTURE.md are walked as they are written: each function runs, in this order."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.test import Client

from battles.slip import access_codes
from campaign.models import Approval
from people.requester import Who
from tests.battles.sample_campaigns import a_campaign, declare
from tests.cardgames.tables.sample_tables import begin_sample_game, choose, first_option, reload

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "ARCHITECTURE.md").read_text().split("## The way of data")[1].split("\n## ")[0]
A_RESULT, A_CARD = PAGE.split("**A card from a phone.**")


def named_in(walk: str) -> list[str]:
    """The functions of a walk, as "folder/module.function"; some are written without their app."""
    return re.findall(r"`([a-z_]+(?:/[a-z_]+)+\.[a-z_]+)`", walk)


@contextmanager
def called(names: list[str]) -> Iterator[list[str]]:
    """Which of these functions are called, in the order of their first calls."""
    rows: list[str] = []

    def note(frame, event, arg):
        if event != "call" or not frame.f_code.co_filename.startswith(str(ROOT)):
            return
        module = frame.f_code.co_filename.removeprefix(f"{ROOT}/").removesuffix(".py")
        for name in names:
            if f"{module}.{frame.f_code.co_name}".endswith(name) and name not in rows:
                rows.append(name)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield rows
    finally:
        sys.setprofile(before)


def test_a_result_from_a_paper_slip(master, player, other_player):
    names = named_in(A_RESULT)
    assert len(names) == 7
    war = a_campaign(master, [player, other_player], confirm="both")
    battle = declare(war, Who.of(player), "k1", "k2.border_1", scenario="pitched_battle")
    words = " ".join(access_codes.words_of(access_codes.get_or_create_slip(battle, Who.of(player)).link))
    phone = Client()
    report = {"key": "by-the-slip-1", "ending": "yielded-B", "removed-B": ["house-1", "king"], "report_as": player.pk}
    with called(names) as seen:
        assert phone.post("/battles/code/", {"code": words}).status_code == 302
        assert phone.post(f"/battles/{battle.code}/report/", report).status_code == 302
        version = Approval.objects.get(campaign=war).versions[0]["digest"]
        answer = {"key": "by-the-slip-2", "version": "0", "seen": version, "as": other_player.pk}
        assert phone.post(f"/battles/{battle.code}/answer/", answer).status_code == 302
    assert seen == names
    battle.refresh_from_db()
    assert battle.stage == "confirmed"


def test_a_card_from_a_phone(master):
    names = named_in(A_CARD)
    assert len(names) == 2
    names += ["load_from_log.open_game", "choice_services.schedule_timer"]
    # With a bot at the table; with this seed a phone is asked first.
    table, phones = begin_sample_game(master, "menagerie", people=3, seed=b"way 1")
    seat = reload(table).asked[0]
    card = first_option(table, seat)
    with called(names) as seen:
        assert choose(phones[seat], table, seat, card, stamp=0).status_code == 302
    assert seen == names


def test_what_the_walks_name_besides_exists():
    """Modules and functions that are named without a call of their own."""
    for path in (
        "battles/battle_stage.py",
        "cardgames/tables/board_frame.py",
        "cardgames/tables/load_from_log.py",
    ):
        assert (ROOT / path).exists()
    assert "def register_follow_up" in (ROOT / "campaign/services.py").read_text()
    assert any("def lay_out" in path.read_text() for path in (ROOT / "cardgames/games").rglob("*.py"))


def test_only_one_module_decides_the_stage_of_a_battle():
    """Others ask it and store its answer; nobody else picks a stage."""
    picks = re.compile(r"\.stage(, \w+\.\w+)* = .*\bStage\.[A-Z]|update\(.*\bstage=.*\bStage\.[A-Z]")
    wrong = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in sorted((ROOT / "battles").rglob("*.py"))
        if path.name != "battle_stage.py" and "migrations" not in path.parts
        for line in path.read_text().splitlines()
        if picks.search(line)
    ]
    assert not wrong
