"""The one door of a muster: every die and every choice goes through it, once, while the muster's log is held."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.db import IntegrityError, transaction

from campaign.annals.acts import RULES_VERSION
from campaign.annals.state import Kingdom, OpenBattle, State
from campaign.models import Campaign
from chance import Dice, fresh_seed
from log import door
from log.models import Entry
from musters import may, sealing
from musters.annals import open_battle, siege_side
from musters.models import Muster
from musters.rolls import lines
from musters.rolls.course import Throw, go_on, thrown
from musters.rolls.lines import Course, folded
from musters.rolls.plain import call_json
from people.who import Who
from refusal import Refusal
from rulebook.muster import Muster as Mustering
from rulebook.muster import answer
from rulebook.muster_table import Call

MODES = tuple(Muster.Dice.values)
ANSWERED_ALREADY = "This was answered already, here or on another phone. Here is the question that is open now."


def course_of(log_id: int) -> Course:
    return folded(Entry.objects.filter(log=log_id).order_by("number").values_list("act", "body"))


# --- beginning ------------------------------------------------------------------------------------------------------


def begin(who: Who, campaign: Campaign, battle: int, kingdom: str) -> Muster:
    """The muster of this side, begun now if it was not. Loyalty, houses and house rules are pinned here."""
    state = may.state_of(campaign)
    fought, realm = open_battle(state, battle, kingdom)
    before = Muster.objects.filter(campaign=campaign, battle=battle, kingdom=kingdom).first()
    if before is not None:
        return before
    mode = state.terms.get("dice")
    fresh = Muster(campaign=campaign, battle=battle, kingdom=kingdom, dice=mode if mode in MODES else "typed")
    fresh.call = call_json(call_now(state, fought, realm))
    fresh.rules = RULES_VERSION
    person = may.act(state, fresh, who)
    body = {"call": fresh.call, "dice": fresh.dice}
    try:
        with transaction.atomic():
            fresh.log = door.open_log("muster", lambda pen: pen.line(lines.BEGUN, actor=person.pk, body=body))
            fresh.save()
    except IntegrityError:  # the other phone was a moment faster
        return Muster.objects.get(campaign=campaign, battle=battle, kingdom=kingdom)
    return fresh


def call_now(state: State, battle: OpenBattle, realm: Kingdom) -> Call:
    return Call(realm.loyalty, realm.lost_houses(), siege_side(battle, realm), max(realm.vp, 0), state.rules())


def facts(call: Call, regained: tuple[int, ...] = ()) -> dict[str, Any]:
    """What is pinned, without the purse: VP are asked of the chronicle whenever they are spent."""
    kept = call_json(call)
    return {
        "loyalty": kept["loyalty"],
        "lost": [house for house in kept["lost"] if house not in regained],
        "siege": kept["siege"],
        "options": kept["options"],
    }


def moved(course: Course, state: State, muster: Muster) -> dict[str, Any] | None:
    """What has changed in the campaign since the muster began and was not agreed to; None where all is as it was."""
    battle = state.battles.get(muster.battle)
    realm = state.kingdoms.get(muster.kingdom)
    if battle is None or realm is None:
        return None
    won_back = tuple([step.slot.number for step in course.muster().steps if step.answer.value == "regain"])
    now = facts(call_now(state, battle, realm), won_back)
    return None if now in (facts(course.call, won_back), course.agreed) else now


# --- one step ---------------------------------------------------------------------------------------------------------


def step(muster: Muster, who: Who, *, key: str, question: str, value: int | str | None = None) -> dict[str, Any]:
    """Answer the question: a typed die, the key of a choice, or nothing, and the dice fall here."""
    state = may.state_of(muster.campaign)
    person = may.act(state, muster, who)

    def write(pen: door.Pen) -> dict[str, Any]:
        _, now = held(muster, state, question)
        after = answered(muster, now, value)
        given = [one.plain() for one in after.answers[len(now.answers) :]]
        body = {"answers": given, "from": muster.dice}
        line = pen.line(lines.ANSWERED, actor=person.pk, body=body, on_behalf_of=may.behalf(state, muster, person))
        return {"line": line.number, "answers": given, "question": token(after)}

    return door.write(muster.log_id, who=who.ref, key=key, body={"question": question, "value": value}, act=write)


def answered(muster: Muster, now: Mustering, value: int | str | None) -> Mustering:
    """The muster after this tap, with the dice that follow from it where they are not typed."""
    question = now.question
    if question is None:
        raise Refusal("The muster is over; there is nothing left to answer.", status=409)
    if question.die:
        if muster.dice == Muster.Dice.TYPED:
            if value is None:
                raise Refusal("Type what fell on the die: a number from 1 to 10.", field="value")
            return answer(now, value)
        if value is not None:
            raise Refusal("At this table the service throws the dice. Nothing was typed in.", field="value")
        return go_on(now, thrower(muster, now))
    if value in ("buy", "regain"):
        raise Refusal("This is paid for with VP; use its own button.", field="value")
    after = answer(now, "" if value is None else value)
    return rolled_on(muster, now, after)


def rolled_on(muster: Muster, before: Mustering, after: Mustering) -> Mustering:
    """After a choice the dice of the same unit fall at once; the next house waits for its own tap."""
    if muster.dice == Muster.Dice.TYPED or after.question is None or before.question is None:
        return after
    return go_on(after, thrower(muster, after)) if after.question.slot == before.question.slot else after


def thrower(muster: Muster, now: Mustering) -> Throw:
    if muster.dice == Muster.Dice.SEALED:
        return sealing.throw(muster, now)
    return Dice(fresh_seed()).d10


def held(muster: Muster, state: State, question: str | None) -> tuple[Course, Mustering]:
    """The muster as it is while its log is held, if it still asks what the sender saw."""
    course = course_of(muster.log_id)
    now = course.muster()
    still_open(muster, state)
    if question is not None:
        door.still({"question": question}, {"question": token(now)}, ANSWERED_ALREADY)
    if changed := moved(course, state, muster):
        raise Refusal(
            "The campaign has changed since this muster began. Choose whether to go on or to begin anew.",
            status=409,
            fresh=changed,
        )
    return course, now


def token(now: Mustering) -> str:
    """What a form has seen: the question, and how many dice had fallen. A die bought twice by two taps is bought once."""
    return f"{now.question.key if now.question else 'done'}.{thrown(now)}"


def still_open(muster: Muster, state: State) -> None:
    if muster.entry is not None:
        raise Refusal("This army is written into the chronicle already. It stays as it was mustered.", status=409)
    if muster.battle not in state.battles:
        raise Refusal(f"Battle {muster.battle} is not open any more. The muster stays as it was.", status=409)


# --- going back, and going on -------------------------------------------------------------------------------------------


def take_back(muster: Muster, who: Who, *, key: str, question: str) -> dict[str, Any]:
    """Correct the last key typed, or choose again, as long as no further die has fallen."""

    def act(course: Course, now: Mustering) -> tuple[str, Mapping[str, Any]]:
        to = lines.back_to(now, muster.dice == Muster.Dice.TYPED)
        if to is None:
            raise Refusal("There is nothing to take back: a die that has fallen stands.", status=409)
        return lines.BACK, {"to": to}

    return _line(muster, who, key=key, question=question, sent={"back": question}, act=act)


def keep(muster: Muster, who: Who, *, key: str, question: str, value: int) -> dict[str, Any]:
    """Of a die thrown again, the throw that counts."""

    def act(course: Course, now: Mustering) -> tuple[str, Mapping[str, Any]]:
        if not now.answers or not now.answers[-1].rerolls or value not in now.answers[-1].thrown:
            raise Refusal("There is no such die to keep.", status=409)
        return lines.KEPT, {"value": value}

    return _line(muster, who, key=key, question=question, sent={"keep": value, "at": question}, act=act)


def agree(muster: Muster, who: Who, *, key: str, anew: bool) -> dict[str, Any]:
    """The campaign has changed meanwhile: go on as begun, or begin anew with how it stands now."""
    state = may.state_of(muster.campaign)
    person = may.act(state, muster, who)

    def write(pen: door.Pen) -> dict[str, Any]:
        still_open(muster, state)
        now = moved(course_of(muster.log_id), state, muster)
        if now is None:
            raise Refusal("Nothing has changed since the muster began; it goes on.", status=409)
        if anew:
            call = call_json(call_now(state, *open_battle(state, muster.battle, muster.kingdom)))
            pen.line(lines.ANEW, actor=person.pk, body={"call": call})
            Muster.objects.filter(pk=muster.pk).update(call=call)
        else:
            pen.line(lines.AGREED, actor=person.pk, body={"facts": now})
        return {"anew": anew}

    return door.write(muster.log_id, who=who.ref, key=key, body={"anew": anew}, act=write)


Act = Callable[[Course, Mustering], tuple[str, Mapping[str, Any]]]


def _line(muster: Muster, who: Who, *, key: str, question: str, sent: Mapping[str, Any], act: Act) -> dict[str, Any]:
    state = may.state_of(muster.campaign)
    person = may.act(state, muster, who)

    def write(pen: door.Pen) -> dict[str, Any]:
        name, body = act(*held(muster, state, question))
        line = pen.line(name, actor=person.pk, body=body, on_behalf_of=may.behalf(state, muster, person))
        return {"line": line.number}

    return door.write(muster.log_id, who=who.ref, key=key, body=sent, act=write)
