"""What costs VP in a muster: the chronicle and the muster's log change in one transaction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from campaign import services as chronicle
from log import services as log_services
from musters import permissions, sealed_dice
from musters.chronicle_acts import PAID, TAKEN
from musters.core import muster_log
from musters.core.army_code import LISTED_DICE, DiceSource, code_of
from musters.core.army_json import army_to_json
from musters.models import Muster
from musters.services import (
    ALREADY_ANSWERED,
    dice_for,
    load_for_writing,
    load_muster_state,
    question_token,
    roll_following_dice,
)
from people.requester import Who
from refusal import Refusal
from rulebook.muster.muster import Muster as Mustering
from rulebook.muster.muster import answer_question, reroll_last_die

PAID_CHOICES = {"buy": "rebel_roll", "regain": "regain"}


def buy_reroll(muster: Muster, who: Who, *, key: str, question: str, roll: int | None = None) -> dict[str, Any]:
    """Re-roll the last die for 1 VP."""
    typed = muster.dice == Muster.Dice.TYPED
    if typed and roll is None:
        raise Refusal("Re-roll the die and enter the result: a number from 1 to 10.", field="value")
    return _pay(muster, who, key, question, {"what": "reroll", "roll": roll if typed else None})


def buy_choice(muster: Muster, who: Who, *, key: str, question: str, value: str) -> dict[str, Any]:
    """Regain a house at once, or buy a rebel roll."""
    if value not in PAID_CHOICES:
        raise Refusal("VP cannot buy that.", field="value")
    return _pay(muster, who, key, question, {"what": PAID_CHOICES[value], "value": value})


def _pay(muster: Muster, who: Who, key: str, question: str, more: dict[str, Any]) -> dict[str, Any]:
    state = permissions.state_of(muster.campaign)
    person = permissions.require_actor(state, muster, who)
    try:
        _, now = load_for_writing(muster, state, question)
    except Refusal:
        # A double tap finds the next question open; repeat the first answer.
        if (before := log_services.find_answer(muster.campaign.log_id, who=who.ref, key=key)) is not None:
            return before
        raise
    body = {"battle": muster.battle, "kingdom": muster.kingdom, "muster": muster.code, "question": question, **more}
    if more["what"] == "regain" and now.question is not None:
        body["house"] = now.question.slot.number
    return _write(
        muster, who, now, key=key, act=PAID, body=body, on_behalf_of=permissions.on_behalf_of(state, muster, person)
    )


def finish_muster(muster: Muster, who: Who, *, key: str) -> dict[str, Any]:
    """Add the finished army to the chronicle. It can no longer change."""
    state = permissions.state_of(muster.campaign)
    permissions.require_actor(state, muster, who)
    if muster.entry is not None:
        return {"entry": muster.entry}
    _, now = load_for_writing(muster, state, None)
    if now.army is None:
        raise Refusal("The muster is not finished. Answer the remaining questions first.", status=409)
    body: dict[str, Any] = {
        "battle": muster.battle,
        "kingdom": muster.kingdom,
        "muster": muster.code,
        "dice": muster.dice,
        "lost": list(now.army.lost),
    }
    if muster.dice == Muster.Dice.SEALED:
        sealed_words = sealed_dice.sealed_words_of(muster, state)
        body["drawn"] = [row.kingdom for row in (sealed_words.mine, sealed_words.theirs) if row and row.drawn]
    if permissions.visibility_setting(state) == permissions.OPEN:
        # A hidden army stays out of the chronicle: everybody can read the campaign's file.
        body |= {"army": army_to_json(now.army), "code": code_of(now, _dice_source(muster))}
    return _write(muster, who, now, key=key, act=TAKEN, body=body)


def _dice_source(muster: Muster) -> DiceSource:
    if muster.dice != Muster.Dice.SEALED:
        return LISTED_DICE
    sealed_words = sealed_dice.sealed_words_of(muster)
    return DiceSource(sealed_words.words, sealed_words.side)


@dataclass(frozen=True, slots=True)
class SeenMuster:
    """The muster as read before the logs were locked; still valid if its log version is unchanged."""

    muster: Muster
    now: Mustering
    version: int


def _write(muster: Muster, who: Who, now: Mustering, **fields: Any) -> dict[str, Any]:
    seen = SeenMuster(muster, now, muster.log.version)
    return chronicle.write(muster.campaign, who, **fields, accept_late=True, beside=[muster.log_id], brought=seen)


# --- inside the chronicle's transaction ---------------------------------------------------------------


def register() -> None:
    chronicle.register_follow_up(PAID, _after_paid)
    chronicle.register_follow_up(TAKEN, _after_taken)


def _after_paid(written: chronicle.WrittenEntry) -> None:
    """Roll the die in the transaction that pays for it."""
    entry = written.entry
    muster, writer, now = _load_current(written)
    log_services.refuse_if_changed(
        {"question": entry.body.get("question")}, {"question": question_token(now)}, ALREADY_ANSWERED
    )
    if entry.body["what"] == "reroll":
        roll = entry.body.get("roll")
        if muster.dice != Muster.Dice.TYPED:
            roll = dice_for(muster, now)()
        reroll_last_die(now, roll)  # refuses an invalid die, or if the last answer was not a die
        act, body = muster_log.AGAIN, {"roll": roll, "entry": entry.number}
    else:
        after = roll_following_dice(muster, now, answer_question(now, entry.body.get("value", "")))
        given = [one.plain() for one in after.answers[len(now.answers) :]]
        act, body = muster_log.ANSWERED, {"answers": given, "from": muster.dice, "entry": entry.number}
    writer.append(act, actor=entry.actor_id, body=body, on_behalf_of=entry.on_behalf_of_id)


def _after_taken(written: chronicle.WrittenEntry) -> None:
    """Store the army in the muster's row, once, if the entry belongs to this muster."""
    muster, _, now = _load_current(written)
    if now.army is None or list(now.army.lost) != list(written.entry.body.get("lost") or ()):
        raise Refusal("This does not match the muster. Reload the page.", status=409)
    values = {
        "army": army_to_json(now.army),
        "army_code": code_of(now, _dice_source(muster)),
        "entry": written.entry.number,
        "taken_at": timezone.now(),
    }
    if not Muster.objects.filter(pk=muster.pk, entry=None).update(**values):
        raise Refusal("This army is already in the chronicle.", status=409)


def _load_current(written: chronicle.WrittenEntry) -> tuple[Muster, log_services.LogWriter, Mustering]:
    """The muster the line speaks of, its writer, and how far it is while both logs are held."""
    seen = written.brought if isinstance(written.brought, SeenMuster) else None
    muster = seen.muster if seen else _find_muster(written)
    writer = written.writer.beside(muster.log_id)
    if seen and seen.version == writer.log.version:
        return muster, writer, seen.now
    return muster, writer, load_muster_state(muster.log_id).muster()


def _find_muster(written: chronicle.WrittenEntry) -> Muster:
    body = written.entry.body
    rows = Muster.objects.filter(campaign=written.campaign, battle=body["battle"], kingdom=body["kingdom"])
    muster = rows.filter(code=body.get("muster", "")).first()
    if muster is None:
        raise Refusal("This campaign has no such muster.", status=409, field="muster")
    muster.campaign = written.campaign
    return muster
