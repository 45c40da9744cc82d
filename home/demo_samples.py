"""What the demo world shows: nights and plays, musters, battles, an approval, card tables, a deck."""

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from battles.entries import Counts, SubmitReport, UnitsOfSides
from battles.models import Battle
from battles.new_battle import services as new_battle_services
from battles.result import forms as result_forms, services as result_services
from battles.slip import access_codes
from battles.tracker import services as tracker_services, starting_armies
from battles.tracker.core import logged_steps
from battles.tracker.core.steps.set_up import SetUpArmies
from campaign import selectors as campaign_selectors, services as campaign_services
from campaign.approvals import services as approvals_services
from campaign.chronicle.acts.administration import ChangeHouseRules
from campaign.chronicle.acts.war import DeclareBattle
from campaign.models import Campaign
from cardgames import selectors as decks_selectors
from cardgames.bots import LEVEL, choose_for_bot
from cardgames.companion import services as companion_services, turns_and_roles
from cardgames.companion.entries import EnterFigures, SeatFigures
from cardgames.decks import services as decks_services
from cardgames.decks.display import build_deck_display
from cardgames.engine import FastRng, RunningTable
from cardgames.games import find_game, house_deck
from cardgames.models import DeckCopy, Result, Seat, Sheet, Table
from cardgames.tables import choice_services, host_actions, table_creation
from cardgames.tables.core import acts
from cardgames.tables.seats import seating
from gamenights import campaigns
from gamenights.nights import services as nights_services
from gamenights.nights.entries import AddBringItem, GiveAnswer, PlanNight
from gamenights.nights.models import Night
from gamenights.plays import services as plays_services
from gamenights.plays.models import Play
from gamenights.plays.values import PlayerResult, PlayFacts
from groups import services as groups_services
from groups.entries import FoundGroup
from groups.models import Group
from log import services as log_services
from musters import permissions as musters_permissions, services as musters_services, vp_payments
from musters.models import Muster
from people.models import Pass, Person
from people.requester import Who
from rulebook.muster.army import KING_SLOT, Army, MusteredUnit, Slot

GROUP = "The Thursday Table"
# Days ago, game, minutes, and the points of each player.
PLAYS = (
    (21, "Cascadia", 45, {"Wren": 87, "Tam": 92, "Oda": 74, "Pim": 69}),
    (21, "Azul", 35, {"Wren": 61, "Oda": 66}),
    (14, "Cascadia", 40, {"Wren": 91, "Tam": 80, "Oda": 95}),
    (9, "Azul", 40, {"Wren": 52, "Tam": 70, "Oda": 70, "Pim": 41}),
    (9, "Cascadia", 50, {"Oda": 83, "Pim": 90, "Tam": 77}),
)


def add_group(campaign: Campaign, master: Who) -> Group:
    group = groups_services.found_group(master, "demo-group", FoundGroup(name=GROUP))
    campaigns.add_campaign(group, master, key="demo-group-campaign", campaign=campaign)
    campaign.refresh_from_db()
    return group


def add_nights(group: Group, people: dict[str, Who]) -> None:
    host = people["Wren"]
    if Night.objects.filter(group=group).exists():
        return
    now = timezone.now()
    for number, (days, game, minutes, scores) in enumerate(PLAYS):
        day = timezone.localdate() - dt.timedelta(days=days)
        night = Night.objects.filter(group=group, day=day).first() or _past_night(group, people, scores, day)
        _log(group, people, night, number, (day, game, minutes, scores))
    start = (now + dt.timedelta(days=5)).replace(hour=19, minute=0, second=0, microsecond=0)
    coming = nights_services.plan_night(
        group,
        host,
        "demo-night-to-come",
        PlanNight(dates=(start,), title="Night of the Long Candle", place="Oda's cellar"),
    )
    for name in ("Tam", "Oda"):
        nights_services.answer_invitation(coming, people[name], f"demo-{name.lower()}-comes", GiveAnswer("yes"))
    nights_services.add_bring_item(coming, host, "demo-bring-cheese", AddBringItem(what="Cheese"))


def _past_night(group: Group, people: dict[str, Who], scores: dict[str, int], day: dt.date) -> Night:
    start = dt.datetime.combine(day, dt.time(19), tzinfo=group.tzinfo)
    host = people["Wren"]
    night = nights_services.plan_night(
        group, host, f"demo-night-{day}", PlanNight(dates=(start,), place="Oda's cellar")
    )
    for name in scores:
        person = people[name].require_person()
        nights_services.set_attendance(
            night, person, answer="yes", here_at=start, left_at=start + dt.timedelta(hours=4)
        )
    return night


def _log(group: Group, people: dict[str, Who], night: Night, number: int, row: tuple[Any, ...]) -> None:
    day, game, minutes, scores = row
    if Play.objects.filter(group=group, uuid=f"demo-play-{number}").exists():
        return
    played = plays_services.find_or_add_game(group, game, {"players_min": 2, "players_max": 4, "minutes": minutes})
    players = tuple(
        PlayerResult(str(people[name].require_person().pk), name, score_text=str(score))
        for name, score in scores.items()
    )
    started = dt.datetime.combine(day, dt.time(19 + number % 2), tzinfo=group.tzinfo)
    facts = PlayFacts(f"demo-play-{number}", str(played.pk), game, day, players, started_at=started, minutes=minutes)
    plays_services.log_play(group, people["Wren"], key=f"demo-play-{number}-x", facts=facts, night=night)


def find_groups(people: Sequence[Person]) -> QuerySet[Group]:
    """The groups of the demo that these people founded."""
    return Group.objects.filter(founding_key__in=[f"{Who.of(person).ref}/demo-group" for person in people])


def remove_groups(groups: Iterable[Group]) -> None:
    """Groups with their nights, plays and logs."""
    for group in groups:
        log = group.log
        group.plays.all().delete()  # they protect their games
        group.delete()
        log.delete()


# ── Musters: one in the chronicle and one half done ──────────────────────────────────────────────────────


# The rolls, in the order of the questions.
OAKHOLD = (9, 10, 5, 8, 9, 10, 3, 10, 4, 6, 6, 9, 5, 5)
THISTLEDOWN = (4, 7, 8, 2)


def add_musters(campaign: Campaign, people: dict[str, Who]) -> None:
    """For the open battle: Oakhold is done, Thistledown is at its second house."""
    state = musters_permissions.state_of(_fresh(campaign))
    fought = (b.number for b in state.battles.values() if {b.attacker, b.defender} == {"k1", "k3"})
    battle = next(fought, None)
    if battle is None:
        return
    oak = musters_services.begin_muster(people["Wren"], _fresh(campaign), battle, "k1")
    if oak.entry is None:
        _enter_rolls(oak, people["Wren"], OAKHOLD)
        oak = musters_permissions.get_muster(people["Wren"], oak.code)
        if musters_services.load_muster_state(oak.log_id).muster().army is not None:
            vp_payments.finish_muster(oak, people["Wren"], key="demo-muster-taken")
    teasel = musters_services.begin_muster(people["Oda"], _fresh(campaign), battle, "k3")
    if teasel.log.length == 1:
        _enter_rolls(teasel, people["Oda"], THISTLEDOWN)


def _fresh(campaign: Campaign) -> Campaign:
    return Campaign.objects.select_related("log", "snapshot").get(pk=campaign.pk)


def _enter_rolls(muster: Muster, who: Who, faces: tuple[int, ...]) -> None:
    """Answer while there are rolls. Each answer has its own key, so a second run changes nothing."""
    left = list(faces)
    muster = musters_permissions.get_muster(who, muster.code)
    while (now := musters_services.load_muster_state(muster.log_id).muster()).question is not None:
        question = now.question
        if question.die and not left:
            return
        value = left.pop(0) if question.die else question.default
        musters_services.submit_answer(
            muster,
            who,
            key=f"demo-muster-{question.number:03d}",
            question=musters_services.question_token(now),
            value=value,
        )


# ── Battles: one reported unit by unit, and the slip of the open one ─────────────────────────────────────


# Fenwick fights for its own Reedmarch and is beaten off the hills, round by round.
HILLS = SubmitReport(
    "routed-A",
    removed=UnitsOfSides(("house-1", "house-4"), ("house-2",)),
    mounds=(Counts(1, 1), Counts(1, 2), Counts(0, 2), Counts(0, 3), Counts(0, 3)),
    spent=Counts(0, 1),
)
DAYS_AGO = 6


def add_reported_battle(campaign: Campaign, who: Who) -> None:
    if log_services.find_answer(campaign.log_id, who=who.ref, key="demo-hills-told") is not None:
        return
    day = timezone.localdate() - dt.timedelta(days=DAYS_AGO)
    declared = DeclareBattle("k2", "k2.border_1", "hold_the_hills")
    done = campaign_services.write(campaign, who, declared, key="demo-hills", played_on=day, accept_late=True)
    battle = Battle.objects.select_related("campaign__log").get(campaign=campaign, number=done["body"]["battle"])
    state = campaign_selectors.state_of(Campaign.objects.select_related("log").get(pk=campaign.pk))
    report = result_forms.report_from_answers(battle, state, replace(HILLS, played_on=day))
    result_services.submit_report(battle, who, report, key="demo-hills-told", accept_late=True)


def add_slip(campaign: Campaign, who: Who) -> None:
    battle = Battle.objects.filter(campaign=campaign).open().first()
    if battle is not None:
        access_codes.get_or_create_slip(battle, who)


# ── The tracker: a battle in its second round, a siege with a breach, a solo battle ──────────────────────


def _army(*units: tuple[str, str | None, str | None], train: int = 0, siege: Any = None) -> Army:
    """The King's unit, then a unit of each house, then the siege train."""
    marching = [MusteredUnit(KING_SLOT, "king")]
    marching += [MusteredUnit(Slot("house", n), unit, hero, weapon) for n, (unit, hero, weapon) in enumerate(units, 1)]
    marching += [MusteredUnit(Slot("train", n), "cat_non") for n in range(1, train + 1)]
    return Army(tuple(marching), siege=siege)


OAK = (
    ("mice_at_arms", "assassin", None),
    ("rat_riders", None, "spears"),
    ("bow_mice", "ranger", None),
    ("field_mice", None, None),
)
THISTLE = (
    ("battle_cat", None, "spear_and_shield"),
    ("bow_mice", "wizard", None),
    ("ballista", None, None),
    ("hoppers", None, None),
)
Step = tuple[str, dict[str, object]]

PITCHED: tuple[Step, ...] = (
    ("begin", {"rolls": {"A": 8, "B": 3}}),
    ("did", {"unit": "A2", "did": "move"}),
    ("fight", {"unit": "B3", "target": "A5", "how": "shoot", "ticks": {}}),
    ("dice", {"fight": "B3", "faces": [9, 7, 2, 8], "at": 0}),
    ("dice", {"fight": "B3", "faces": [3, 10, 1], "at": 4}),
    ("dice", {"fight": "B3", "faces": [7], "at": 7}),
    ("fight", {"unit": "A4", "target": "B5", "how": "shoot", "ticks": {}}),
    ("dice", {"fight": "A4", "faces": [10, 6, 9, 4], "at": 0}),
    ("dice", {"fight": "A4", "faces": [2, 4, 1, 3], "at": 4}),
    ("settled", {"fight": "A4"}),
    ("round_over", {"of": 1}),
    ("did", {"unit": "A1", "did": "move"}),
    ("did", {"unit": "B1", "did": "move"}),
    ("fight", {"unit": "A3", "target": "B3", "how": "charge", "ticks": {"target_at": "barrier"}}),
)
SIEGE: tuple[Step, ...] = (
    ("stands_at", {"unit": "B1", "to": {"castle": "tower_sw"}}),
    ("stands_at", {"unit": "B2", "to": {"castle": "battlement_n"}}),
    ("stands_at", {"unit": "B3", "to": {"castle": "gatehouse"}}),
    ("stands_at", {"unit": "B4", "to": {"castle": "battlement_e"}}),
    ("begin", {"rolls": {"A": 9, "B": 4}}),
    ("fight", {"unit": "A4", "how": "bombard", "piece": "tower_se", "ticks": {}}),
    ("dice", {"fight": "A4", "faces": [8, 9], "at": 0}),
    ("dice", {"fight": "A4", "faces": [3, 2], "at": 2}),
    ("did", {"unit": "B1", "did": "nothing"}),
    ("fight", {"unit": "A5", "how": "bombard", "piece": "tower_ne", "ticks": {}}),
    ("dice", {"fight": "A5", "faces": [7, 2], "at": 0}),
    ("dice", {"fight": "A5", "faces": [4], "at": 2}),
    ("stands_at", {"unit": "A2", "to": {"castle": "battlement_w"}}),
)
ALONE: tuple[Step, ...] = (
    ("begin", {"rolls": {"A": 2, "B": 7}}),
    ("solo", {"roll": 2, "seen": {"B3": {"enemy": "A2", "inches": 7, "sees": True, "reach": True}}}),
)


def add_trackers(people: dict[str, Who]) -> None:
    wren = people["Wren"]
    names, armies = ("Oakhold", "Thistledown"), (_army(*OAK), _army(*THISTLE))
    _play(wren, "demo-table-pitched", "pitched_battle", names, armies, PITCHED)
    besiegers = _army(OAK[0], OAK[1], train=2, siege="attacker")
    besieged = _army(("bow_mice", None, None), ("hoppers", None, None), ("field_mice", None, None), siege="defender")
    castle = {"vats": ("battlement_n", "gatehouse"), "towers": ("tower_nw", "tower_ne")}
    _play(wren, "demo-table-siege", "siege", ("Fenwick", "Mole End"), (besiegers, besieged), SIEGE, **castle)
    _play(wren, "demo-table-alone", "surrounded", names, armies, ALONE, solo="B")


def _play(
    who: Who, key: str, scenario: str, names: Sequence[str], armies: Sequence[Army], steps: Sequence[Step], **more: Any
) -> None:
    battle = new_battle_services.create_standalone_battle(who, key=key, names=names, scenario=scenario, armies=armies)
    if battle.stage not in (Battle.Stage.DECLARED, Battle.Stage.MUSTERED):
        return
    visible = tracker_services.visible_battles(who).get(pk=battle.pk)
    sides = tuple(row.starting(()) for row in starting_armies.starting_sides(visible))
    first = SetUpArmies(sides, **more)
    for number, step in enumerate((first, *(logged_steps.read_sent(kind, body) for kind, body in steps))):
        tracker_services.take_step(visible, who, step, key=f"{key}-{number:02}")


def remove_trackers(ids: Sequence[int]) -> None:
    Battle.objects.filter(made_by__in=ids, founding_key__contains="/demo-table-").delete()


# ── An approval: Tam's correction waits for Wren, whose kingdom it affects ──────────────────────────────


def add_approvals(campaign: Campaign, people: dict[str, Who]) -> None:
    master, tam = people["Wren"], people["Tam"]
    if log_services.find_answer(campaign.log_id, who=tam.ref, key="demo-asks") is not None:
        return
    campaign_services.write(campaign, master, ChangeHouseRules(terms={"correct": "touched"}), key="demo-terms")
    fresh = Campaign.objects.select_related("log").get(pk=campaign.pk)
    entries = campaign_selectors.entries_of(fresh)
    drawn = next(entry for entry in entries if entry.act == "result" and entry.body["outcome"] == "draw")
    body = {**drawn.body, "outcome": "defender"}
    approvals_services.submit_correction(
        fresh,
        tam,
        key="demo-asks",
        kind="amend",
        target=drawn.number,
        body=body,
        digest=campaign_services.preview_correction(entries, "amend", drawn.number, body).digest,
        why="The last of your archers fled before the light went. We held the Levels.",
    )


# ── Card tables: one waiting for guests, one in the middle of a game, one finished ───────────────────────


LASTED = dt.timedelta(minutes=38)
CHOICES_MADE = 24  # in the running game


def add_card_tables(people: dict[str, Who]) -> None:
    host = people["Wren"]
    waiting = table_creation.open_table(host, acts.HostTable("menagerie"), key="demo-menagerie")
    if waiting.state == Table.State.LOBBY:
        for number, level in ((2, "greedy"), (3, "thinker")):
            if waiting.seat_set.get(number=number).is_free:
                seating.set_bot(waiting, host, acts.SetBot(number, level), key=f"demo-bot-{number}")
    add_running_table(host, people["Tam"])
    add_finished_table(host, people["Tam"])


def add_running_table(host: Who, guest: Who) -> None:
    """A Menagerie with three bots where it is the guest's turn, in any browser they log in with."""
    table = table_creation.open_table(host, acts.HostTable("menagerie"), key="demo-running")
    if table.state != Table.State.LOBBY:
        return
    seating.take_seat(table, guest, ref="demo-guest", key="demo-running-seat", number=0)
    seating.fill_with_bots(table, host, acts.FillWithBots("greedy"), key="demo-running-bots")
    host_actions.start_game(table, host, acts.StartGame(), key="demo-running-start")
    rng = FastRng("demo running")

    def so_far(live: RunningTable, table: Table) -> None:
        chosen = 0
        while live.result is None and (chosen < CHOICES_MADE or live.unanswered_seats[0] != 0):
            seat = live.unanswered_seats[0]
            live.choose(seat, choose_for_bot(LEVEL["greedy"].bot, live, seat, rng))
            chosen += 1

    choice_services.write_timer_moves(table, key="demo-running-choices", change=so_far)
    delete_seat_passes(table)


def add_finished_table(host: Who, guest: Who) -> None:
    """A whole game of Of Mice and Monarchs between two, played by the greedy bot."""
    wanted = acts.HostTable("monarchs", seats=2, options={"brisk_court": True})
    table = table_creation.open_table(host, wanted, key="demo-monarchs")
    if table.state != Table.State.LOBBY:
        return
    for number, who in enumerate((host, guest)):
        seating.take_seat(table, who, ref=f"demo-{number}", key=f"demo-seat-{number}", number=number)
    host_actions.start_game(table, host, acts.StartGame(), key="demo-start")
    Table.objects.filter(pk=table.pk).update(begun_at=timezone.now() - LASTED)
    rng = FastRng("demo")

    def to_the_end(live: RunningTable, table: Table) -> None:
        while live.result is None:
            seat = live.unanswered_seats[0]
            live.choose(seat, choose_for_bot(LEVEL["greedy"].bot, live, seat, rng))

    choice_services.write_timer_moves(table, key="demo-all-choices", change=to_the_end)
    delete_seat_passes(table)


def delete_seat_passes(table: Table) -> None:
    """Free these seats from the browser that made them."""
    Pass.objects.filter(kind=Seat.PASS, target__in=table.seat_set.values("pk")).delete()


def remove_card_tables(ids: list[int]) -> None:
    """The tables these people host, with their logs and results."""
    for table in Table.objects.filter(host__in=ids):
        logs = [table.log, table.sealed]
        if hasattr(table, "result"):
            table.result.delete()
        Pass.objects.filter(kind=Seat.PASS, target__in=table.seat_set.values("pk")).delete()
        table.delete()
        for log in logs:
            log.delete()


# ── A changed copy of a deck, and a sheet for printed cards ─────────────────────────────────────────


COUNTS = (
    {"mammoth": 2, "white-tiger": 1},
    {"giant-ibis": 2, "komodo-dragon": 1, "mammoth": 1},
    {"white-tiger": 3, "hiroa-antelope": 2},
    {"galapagos-tortoise": 1, "komodo-dragon": 2},
)


def add_decks(people: dict[str, Who]) -> None:
    wren = people["Wren"]
    copy = decks_services.create_copy(wren, house_deck("menagerie"), key="demo-deck", title="The deck in Oda's cellar")
    if copy.version == 1:
        schema, deck = find_game(copy.game).schema, decks_selectors.deck_of(copy)
        form = {
            f"{line.id}.{cell.kind.key}": str(cell.value)
            for part in build_deck_display(schema, deck).parts
            for line in part.lines
            for cell in line.cells
        }
        decks_services.change_values(wren, copy, form | {"shoot.copies": "3", "bazaar.copies": "3"}, seen=1)
        decks_services.set_use(wren, copy, DeckCopy.Use.CIRCLE)
    names = ("Wren", "Tam", "Oda", "Pim")
    sheet = companion_services.create_sheet(wren, key="demo-sheet", deck=house_deck("menagerie"), seats=4, names=names)
    if not sheet.state.get("dealt"):
        turns_and_roles.deal_roles(sheet, wren, key="demo-sheet-roles", seen=sheet.state.get("step", 0))
        for seat, counts in enumerate(COUNTS):
            companion_services.enter_figures(sheet, wren, EnterFigures(seat, SeatFigures(counts)))


def remove_decks(ids: Sequence[int]) -> None:
    for sheet in Sheet.objects.filter(keeper__in=ids).select_related("log"):
        sheet.delete()
        sheet.log.delete()
    DeckCopy.objects.filter(owner__in=ids).delete()
    Result.objects.filter(keeper__in=ids).delete()
