"""The one door of a table: a step is judged against the table it finds, written with what it made of the cells, and carried on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import Exists, OuterRef, Q

from battles.models import KEEP, REPORT, Battle
from battles.table_reading import PREFIX, Kept, carried, folded, kept, steps_of, terms_of
from battles.tracker.lines import TAKE_BACK, Step, resting_on, step_of
from battles.tracker.steps import work_out
from campaign.models import Campaign
from log import door
from people.who import Who
from refusal import Refusal


def at_the_table(who: Who) -> Q:
    """Whose taps count: members of the campaign, who made or fought it, and whoever holds a pass to this battle."""
    held = [one.target for one in who.passes if one.kind in (KEEP, REPORT)]
    found = Q(pk__in=held)
    if who.person is not None:
        ids = who.person.all_ids()
        fought = Battle.people.through.objects.filter(person__in=ids).values("battle")
        found |= Q(campaign__in=Campaign.objects.of(who)) | Q(made_by__in=ids) | Q(pk__in=fought)
    return found


def seen_by(who: Who) -> Any:
    """Battles one may look at, each with ``may_step``: whether one's taps count."""
    mine = Battle.objects.filter(at_the_table(who), pk=OuterRef("pk"))
    return Battle.objects.visible_to(who).select_related("log", "campaign").annotate(may_step=Exists(mine))


def insist(battle: Battle) -> None:
    if not battle.may_step:  # type: ignore[attr-defined]
        raise Refusal("Only those at the table move its tokens. You may watch.", status=403)
    if battle.is_over:
        raise Refusal("This battle is over. Its table is kept as it was.", status=409)


class Written:
    """What a write came to, for drawing the answer without reading everything again."""

    def __init__(self) -> None:
        self.kept: Kept | None = None
        self.version = 0


def do(
    battle: Battle,
    who: Who,
    *,
    key: str,
    kind: str,
    body: Mapping[str, Any],
    seen: Mapping[str, Any] | None = None,
    written: Written | None = None,
) -> dict[str, Any]:
    """Take one step, once per key. ``seen`` names cells as the sender saw them; only these must still be so."""
    insist(battle)

    def act(pen: door.Pen) -> dict[str, Any]:
        fresh = _held(battle, pen)
        before = kept(fresh)
        done = work_out(before.cells, terms_of(fresh), kind, body)
        if done.idle:
            # Two phones told the same: the second is right too, whatever it saw.
            _note(written, before, pen)
            return {"entry": None, "said": ["It stands so already."]}
        if seen:
            now = {cell: before.cells.get(cell) for cell in seen}
            door.still(seen, now, "This unit has changed since you looked. Here it is as it stands now.")
        person = who.person.pk if who.person else None
        line = pen.line(f"{PREFIX}{kind}", actor=person, body=done.body, effects=done.effects)
        after = carried(before, step_of(line.number, kind, done.body, done.effects), pen.log.length)
        _keep(fresh, after, pen, written)
        return {"entry": line.number, "said": done.body["said"]}

    return door.write(battle.log_id, who=who.ref, key=key, body={"kind": kind, **body}, act=act)


def consequences(battle: Battle, number: int) -> list[Step]:
    """What goes if this step is taken back: the step, and every later one that rested on it."""
    steps = steps_of(battle)
    going = set(resting_on(steps, number))
    return [step for step in steps if step.number in going]


def take_back(
    battle: Battle, who: Who, *, key: str, number: int, seen: int | None = None, written: Written | None = None
) -> dict[str, Any]:
    """Take a step back with its consequences. ``seen`` is how many steps the sender agreed to lose."""
    insist(battle)

    def act(pen: door.Pen) -> dict[str, Any]:
        fresh = _held(battle, pen)
        steps = steps_of(fresh)
        going = _going(steps, number)
        if seen is not None and seen != len(going):
            raise Refusal("More has happened since you looked. See what goes with it now.", status=409)
        person = who.person.pk if who.person else None
        line = pen.line(f"{PREFIX}{TAKE_BACK}", actor=person, body={"steps": list(going)})
        _keep(fresh, folded(fresh), pen, written)
        return {"entry": line.number, "steps": list(going)}

    return door.write(battle.log_id, who=who.ref, key=key, body={"take_back": number}, act=act)


def _going(steps: list[Step], number: int) -> tuple[int, ...]:
    """A step and what rests on it; or a taking back itself, as long as nothing was done after it."""
    chosen = next((step for step in steps if step.number == number), None)
    if chosen is None:
        raise Refusal("There is no such step at this table.", status=404)
    if chosen.kind == TAKE_BACK:
        if steps[-1].number != number:
            raise Refusal("Something was done since; it can no longer be put back.", status=409)
        return (number,)
    return resting_on(steps, number)


def _held(battle: Battle, pen: door.Pen) -> Battle:
    """The battle as it is while its log is held."""
    fresh = Battle.objects.only("snapshot", "stage", "scenario", "siege", "options", "log_id").get(pk=battle.pk)
    fresh.log = pen.log
    if fresh.is_over:
        raise Refusal("This battle is over. Its table is kept as it was.", status=409)
    return fresh


def _keep(battle: Battle, after: Kept, pen: door.Pen, written: Written | None) -> None:
    change: dict[str, Any] = {"snapshot": after.to_json()}
    if after.table.laid and battle.stage in (Battle.Stage.DECLARED, Battle.Stage.MUSTERED):
        change["stage"] = Battle.Stage.ON_THE_TABLE
    Battle.objects.filter(pk=battle.pk).update(**change)
    _note(written, after, pen)


def _note(written: Written | None, after: Kept, pen: door.Pen) -> None:
    if written is not None:
        written.kept, written.version = after, pen.log.version + 1
