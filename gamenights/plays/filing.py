"""Card games and battles file themselves as plays of the group they belong to.

A game of Menagerie ends at a table that was opened in a night. Its app calls ``file_result``, which finds

    the night:  where the table was opened, or where one of its people is checked in
    the group:  the night's; without one, the only group that everybody at the table belongs to
    the facts:  PlayFacts(uuid="result-71", game="5", day=…, players=(…, …), scoring=Scoring.HIGH)

and writes one entry, ``play_logged``, into the group's log. A battle goes the same way (``sync_battle``), but its
result can be corrected or taken back: then its play is changed, removed or restored.
"""

import datetime as dt
from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models.signals import post_save
from django.utils import timezone

from battles.display import Outcome, outcome_of
from battles.models import Battle
from battles.new_battle.services import get_campaign_battle
from campaign import selectors as campaign_selectors, services as campaign_services
from campaign.chronicle.state import State
from campaign.models import Campaign
from campaign.services import WrittenEntry
from cardgames import registry as cardgames_registry
from cardgames.games import SHELF, house_deck
from cardgames.models import Result
from cardgames.results.display import names_at_table
from gamenights.nights.models import Night
from gamenights.nights.selectors import find_night_for_play, night_of_person
from gamenights.plays import services
from gamenights.plays.entries import PlayChanged, PlayEntry, PlayLogged, PlayRemoved, PlayRestored
from gamenights.plays.models import Play
from gamenights.plays.values import (
    PlayerResult,
    PlayFacts,
    Scoring,
    Variant,
    complete_play,
    day_of,
    is_rated_by_default,
)
from gamenights.shelf.models import Game
from groups.entries import write_body
from groups.models import Group, Member
from log import services as log_services
from log.models import Entry
from people.models import Person
from people.name_validation import shorten_name

BATTLE = "battle"
BATTLE_NAME = "Mice-at-Arms battle"


def register() -> None:
    cardgames_registry.register_result_hook(file_result)
    campaign_services.register_follow_up("result", file_battle_of)
    for act in ("strike", "amend", "restore"):
        campaign_services.register_follow_up(act, refile_battles_of)
    post_save.connect(file_standalone_battle, sender=Battle, dispatch_uid="gamenights-standalone-battles")


# ── Card games ───────────────────────────────────────────────────────────────────────────────────────────


def file_result(result: Any) -> None:
    """File a card game that has just ended."""
    assert isinstance(result, Result)
    people = [seat.person.root for seat in result.places.select_related("person__merged_into") if seat.person]
    night = _night_of_result(result, people)
    group = night.group if night else common_group(people)
    if group is not None:
        file_result_in(group, result, night)


def file_result_in(group: Group, result: Result, night: Night | None) -> None:
    facts = facts_of_result(result, group)
    _file(group, PlayLogged(facts.uuid, night.pk if night else None, facts, source="result", result=result.pk))


def _night_of_result(result: Result, people: Iterable[Person]) -> Night | None:
    if result.table_id is not None:
        rows = Night.objects.filter(night_tables__table=result.table_id)
        if night := rows.select_related("group__log").first():
            return night
    return _night_of_any((result.keeper.root, *people))


def _night_of_any(people: Iterable[Person]) -> Night | None:
    return next((night for person in people if (night := night_of_person(person))), None)


def common_group(people: Iterable[Person]) -> Group | None:
    """The one group that everybody at the table belongs to. With several it is not for us to choose."""
    everybody = {person.pk: person for person in people}
    if not everybody:
        return None
    shared = Group.objects.all()
    for person in everybody.values():
        mine = Member.objects.filter(person__in=person.all_ids()).exclude(role=Member.Role.GUEST)
        shared = shared.filter(pk__in=mine.values("group"))
    groups = list(shared[:2])
    return groups[0] if len(groups) == 1 else None


def facts_of_result(result: Result, group: Group) -> PlayFacts:
    game = SHELF.get(result.game)
    has_points = game is None or game.has_points
    scoring = Scoring.HIGH if has_points else Scoring.NONE
    players = tuple(
        _player(
            seat.person.root if seat.person else None,
            "" if seat.person else names_at_table([(seat.number, seat.bot, None)])[0],
            seat.score if has_points else None,
            role=seat.role,
            won=seat.won,
            bot=bool(seat.bot) and seat.person_id is None,
        )
        for seat in result.places.select_related("person__merged_into")
    )
    options = result.options or {}
    variant = Variant(
        solo=len(players) == 1 and not players[0].bot,
        family=bool(options.get("family")),
        brisk=bool(options.get("brisk")),
        deck="" if _is_house_deck(result) else result.deck_title[:80],
        bots=any(player.bot for player in players),
        roles=any(player.role for player in players),
    )
    on_shelf = own_game(group, result.game, game.title if game else result.game)
    took = None if result.seconds is None else dt.timedelta(seconds=result.seconds)
    return PlayFacts(
        uuid=f"result-{result.pk}",
        game=str(on_shelf.pk),
        game_name=on_shelf.name,
        day=day_of(result.at, group.tzinfo),
        players=players,
        scoring=scoring,
        variant=variant,
        started_at=None if took is None else result.at - took,
        logged_at=result.at,
        minutes=None if took is None else round(took / dt.timedelta(minutes=1)),
        rated=is_rated_by_default(variant, scoring, players),
    )


def _player(person: Person | None, name: str, score: int | None, *, role: str, won: bool, bot: bool) -> PlayerResult:
    """``name`` is for whoever is nobody in particular."""
    return PlayerResult(
        person=str(person.pk) if person else "",
        name=shorten_name(person.name) if person else name,
        score=None if score is None else Decimal(score),
        score_text="" if score is None else str(score),
        role=role,
        won=won,
        bot=bot,
    )


def _is_house_deck(result: Result) -> bool:
    return not result.deck_title or (result.game in SHELF and house_deck(result.game).title == result.deck_title)


def own_game(group: Group, key: str, name: str) -> Game:
    """A game of this site on the group's shelf."""
    game = Game.objects.filter(group=group, own_key=key).first()
    return game or services.find_or_add_game(group, name, {"own_key": key})


# ── Battles ──────────────────────────────────────────────────────────────────────────────────────────────


def file_battle_of(written: WrittenEntry) -> None:
    """File the battle whose result was just written into the chronicle, in the same transaction."""
    number = written.entry.body.get("battle")
    if written.campaign.group_id is None or number is None:
        return
    battle = Battle.objects.filter(campaign=written.campaign, number=number).first()
    if battle is not None:
        sync_battle(battle, written.state)
    else:  # entered without a declaration: its battle is made from the entry once that is written
        refile_battles_of(written)


def refile_battles_of(written: WrittenEntry) -> None:
    """A correction of the chronicle can change, reopen or confirm battles."""
    if written.campaign.group_id is not None:
        transaction.on_commit(partial(refile_battles, written.campaign.pk))


def refile_battles(campaign: int) -> None:
    _create_missing_battles(campaign)
    for battle in Battle.objects.filter(campaign=campaign).select_related("play"):
        _sync_if_over(battle)


def _sync_if_over(battle: Battle) -> None:
    """Or if it was over before, and has a play."""
    if battle.stage == Battle.Stage.CONFIRMED or hasattr(battle, "play"):
        with transaction.atomic():
            sync_battle(battle)


def _create_missing_battles(pk: int) -> None:
    """Battles of results that were entered into the chronicle without a declaration."""
    campaign = Campaign.objects.select_related("log").get(pk=pk)
    results = Entry.objects.filter(log=campaign.log_id, act="result").values_list("body__battle", flat=True)
    known = Battle.objects.filter(campaign=campaign).values_list("number", flat=True)
    for number in sorted(set(results) - set(known) - {None}):
        get_campaign_battle(campaign, number)


def file_standalone_battle(instance: Battle, raw: bool = False, **_: Any) -> None:
    """A battle outside a campaign was saved: file it once it is over, remove its play when it is reopened."""
    if instance.campaign_id is None and not raw:
        transaction.on_commit(partial(sync_standalone_battle, instance.pk))


def sync_standalone_battle(pk: int) -> None:
    battle = Battle.objects.select_related("play").filter(pk=pk).first()
    if battle is not None:
        _sync_if_over(battle)


def people_of_battle(battle: Battle) -> list[Person]:
    """Who fought a battle outside a campaign."""
    ids = {side.get("person") for side in battle.sides} - {None}
    return [person.root for person in Person.objects.select_related("merged_into").filter(pk__in=ids)]


def group_of_standalone(battle: Battle) -> Group | None:
    """The night where one of its people is, or the one group that all of them belong to."""
    people = people_of_battle(battle)
    night = _night_of_any(people)
    return night.group if night else common_group(people)


def sync_battle(battle: Battle, state: State | None = None) -> None:
    """Bring the play of a battle in line with the battle: file it, change it, remove or restore it."""
    play = Play.objects.filter(battle=battle).select_related("group__log").first()
    if battle.campaign:
        group = battle.campaign.group
    else:
        group = play.group if play else group_of_standalone(battle)
    facts = facts_of_battle(battle, group, state) if group and battle.stage == Battle.Stage.CONFIRMED else None
    if play is not None:
        _update_play(play, facts)
    elif group is not None and facts is not None:
        _file_battle(group, battle, facts, find_night_for_play(group, facts.day))


def _update_play(play: Play, facts: PlayFacts | None) -> None:
    """``facts`` as they are now; None if the battle is not over any more, or is no contest."""
    if facts is None:
        if play.removed_at is None:
            _append(play.group, PlayRemoved(play.uuid), play.day)
        return
    if play.removed_at is not None:
        _append(play.group, PlayRestored(play.uuid), facts.day)
    new = services.without_names(replace(facts, logged_at=play.logged_at))
    if new != services.last_facts(play):
        _append(play.group, PlayChanged(play.uuid, new), facts.day)


def file_battle_in(group: Group, battle: Battle, night: Night) -> None:
    facts = facts_of_battle(battle, group)
    if facts is not None:
        _file_battle(group, battle, facts, night)


def _file_battle(group: Group, battle: Battle, facts: PlayFacts, night: Night | None) -> None:
    _file(group, PlayLogged(facts.uuid, night.pk if night else None, facts, source="battle", battle=battle.pk))


def facts_of_battle(battle: Battle, group: Group, state: State | None = None) -> PlayFacts | None:
    """The battle as a play, if it has an outcome and is a contest."""
    if state is None and battle.campaign is not None:
        state = campaign_selectors.state_of(battle.campaign)
    outcome = outcome_of(battle, state)
    if outcome is None or battle.played_on is None:
        return None
    players = _players_of_battle(battle, outcome, state)
    people = [player.person for player in players if player.person]
    if len(set(people)) < len(people):
        return None  # one person on both sides: a solo war is not a contest
    game = own_game(group, BATTLE, BATTLE_NAME)
    variant = Variant(solo=sum(not player.bot for player in players) == 1, bots=any(player.bot for player in players))
    return complete_play(
        PlayFacts(
            uuid=f"battle-{battle.code}",
            game=str(game.pk),
            game_name=game.name,
            day=battle.played_on,
            players=players,
            scoring=Scoring.HIGH,
            variant=variant,
            logged_at=timezone.now(),
            rated=is_rated_by_default(variant, Scoring.HIGH, players),
            location=state.place_name(battle.target)[:80] if state and battle.target else "",
        )
    )


def _players_of_battle(battle: Battle, outcome: Outcome, state: State | None) -> tuple[PlayerResult, ...]:
    """One for each side: whoever fought it, or rules its kingdom."""
    kingdoms = state.kingdoms if state else {}
    rulers = {key: kingdom.ruler for key, kingdom in kingdoms.items()}
    leaders = {side["side"]: side.get("person") or rulers.get(side.get("kingdom")) for side in battle.sides}
    people = Person.objects.select_related("merged_into").in_bulk(set(leaders.values()) - {None})
    players = []
    for side in battle.sides:
        letter, kingdom = side["side"], kingdoms.get(side.get("kingdom"))
        leader = people.get(leaders[letter])
        name = (kingdom.name if kingdom else side["name"] or f"Side {letter}")[:80]
        points = outcome.vp.get(letter) if outcome.vp else None
        person = leader.root if leader else None
        players.append(_player(person, name, points, role=name, won=outcome.winner == letter, bot=person is None))
    return tuple(players)


# ── Both ─────────────────────────────────────────────────────────────────────────────────────────────────


def _file(group: Group, logged: PlayLogged) -> None:
    if not logged.facts.people or Play.objects.filter(group=group, uuid=logged.play).exists():
        return
    facts = services.without_names(complete_play(logged.facts))
    _append(group, replace(logged, facts=facts), facts.day)


def _append(group: Group, entry: PlayEntry, day: dt.date) -> None:
    """One entry within the transaction of the game that ended."""
    body = write_body(entry.key, entry)
    row = log_services.append_to(group.log_id, entry.key, actor=None, body=body, played_on=day)
    services.apply_entry(group, row, entry)
