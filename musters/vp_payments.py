"""What costs VP in a muster: paid in the chronicle and done in the muster in one transaction, or neither."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from campaign import door as chronicle
from log import door
from musters import may, sealing
from musters.annals import PAID, TAKEN
from musters.door import ANSWERED_ALREADY, course_of, held, rolled_on, thrower, token
from musters.models import Muster
from musters.rolls import lines
from musters.rolls.code import DICE, Source, code_of
from musters.rolls.plain import army_json
from people.who import Who
from refusal import Refusal
from rulebook.muster import Muster as Mustering
from rulebook.muster import answer, reroll

CHOICES = {"buy": "rebel_roll", "regain": "regain"}


def again(muster: Muster, who: Who, *, key: str, question: str, roll: int | None = None) -> dict[str, Any]:
    """The last die once more for 1 VP: typed, or thrown here."""
    typed = muster.dice == Muster.Dice.TYPED
    if typed and roll is None:
        raise Refusal("Throw the die again and type what fell: a number from 1 to 10.", field="value")
    return _pay(muster, who, key, question, {"what": "reroll", "roll": roll if typed else None})


def buy(muster: Muster, who: Who, *, key: str, question: str, value: str) -> dict[str, Any]:
    """A house won back at once, or a roll among rebels."""
    if value not in CHOICES:
        raise Refusal("That is not bought with VP.", field="value")
    return _pay(muster, who, key, question, {"what": CHOICES[value], "value": value})


def _pay(muster: Muster, who: Who, key: str, question: str, more: dict[str, Any]) -> dict[str, Any]:
    state = may.state_of(muster.campaign)
    person = may.act(state, muster, who)
    try:
        _, now = held(muster, state, question)
    except Refusal:
        # A tap sent twice finds the next question, and is answered as it was the first time.
        if (before := door.answered(muster.campaign.log_id, who=who.ref, key=key)) is not None:
            return before
        raise
    body = {"battle": muster.battle, "kingdom": muster.kingdom, "muster": muster.code, "question": question, **more}
    if more["what"] == "regain" and now.question is not None:
        body["house"] = now.question.slot.number
    return _write(muster, who, now, key=key, act=PAID, body=body, on_behalf_of=may.behalf(state, muster, person))


def take(muster: Muster, who: Who, *, key: str) -> dict[str, Any]:
    """Write the finished army into the chronicle. From then on it stays as it was mustered."""
    state = may.state_of(muster.campaign)
    may.act(state, muster, who)
    if muster.entry is not None:
        return {"entry": muster.entry}
    _, now = held(muster, state, None)
    if now.army is None:
        raise Refusal("The muster is not done. Answer its last questions first.", status=409)
    body: dict[str, Any] = {
        "battle": muster.battle,
        "kingdom": muster.kingdom,
        "muster": muster.code,
        "dice": muster.dice,
        "lost": list(now.army.lost),
    }
    if muster.dice == Muster.Dice.SEALED:
        seal = sealing.seal_of(muster, state)
        body["drawn"] = [row.kingdom for row in (seal.mine, seal.theirs) if row and row.drawn]
    if may.sight(state) == may.OPEN:
        # Elsewhere the army stays out of the chronicle, or everybody could read it in the campaign's file.
        body |= {"army": army_json(now.army), "code": code_of(now, _source(muster))}
    return _write(muster, who, now, key=key, act=TAKEN, body=body)


def _source(muster: Muster) -> Source:
    if muster.dice != Muster.Dice.SEALED:
        return DICE
    seal = sealing.seal_of(muster)
    return Source(seal.words, seal.side)


@dataclass(frozen=True, slots=True)
class Seen:
    """The muster as it was read before the logs were held. It stands so if its log has not moved since."""

    muster: Muster
    now: Mustering
    version: int


def _write(muster: Muster, who: Who, now: Mustering, **line: Any) -> dict[str, Any]:
    seen = Seen(muster, now, muster.log.version)
    return chronicle.do(muster.campaign, who, **line, accept_late=True, beside=[muster.log_id], brought=seen)


# --- in the chronicle's transaction -------------------------------------------------------------------------------------


def register() -> None:
    chronicle.afterwards(PAID, _after_paid)
    chronicle.afterwards(TAKEN, _after_taken)


def _after_paid(written: chronicle.Written) -> None:
    """The die falls in the same transaction that pays for it."""
    line = written.line
    muster, pen, now = _held(written)
    door.still({"question": line.body.get("question")}, {"question": token(now)}, ANSWERED_ALREADY)
    if line.body["what"] == "reroll":
        roll = line.body.get("roll")
        if muster.dice != Muster.Dice.TYPED:
            roll = thrower(muster, now)()
        reroll(now, roll)  # refuses what is no die, or where the last answer was none
        act, body = lines.AGAIN, {"roll": roll, "entry": line.number}
    else:
        after = rolled_on(muster, now, answer(now, line.body.get("value", "")))
        given = [one.plain() for one in after.answers[len(now.answers) :]]
        act, body = lines.ANSWERED, {"answers": given, "from": muster.dice, "entry": line.number}
    pen.line(act, actor=line.actor_id, body=body, on_behalf_of=line.on_behalf_of_id)


def _after_taken(written: chronicle.Written) -> None:
    """The muster's row keeps the army, if the line is truly of this muster and it was not written before."""
    muster, _, now = _held(written)
    if now.army is None or list(now.army.lost) != list(written.line.body.get("lost") or ()):
        raise Refusal("This is not what was mustered. Load the page again.", status=409)
    values = {
        "army": army_json(now.army),
        "army_code": code_of(now, _source(muster)),
        "entry": written.line.number,
        "taken_at": timezone.now(),
    }
    if not Muster.objects.filter(pk=muster.pk, entry=None).update(**values):
        raise Refusal("This army is written into the chronicle already.", status=409)


def _held(written: chronicle.Written) -> tuple[Muster, door.Pen, Mustering]:
    """The muster the line speaks of, its pen, and how far it is while both logs are held."""
    seen = written.brought if isinstance(written.brought, Seen) else None
    muster = seen.muster if seen else _named(written)
    pen = written.pen.beside(muster.log_id)
    if seen and seen.version == pen.log.version:
        return muster, pen, seen.now
    return muster, pen, course_of(muster.log_id).muster()


def _named(written: chronicle.Written) -> Muster:
    body = written.line.body
    rows = Muster.objects.filter(campaign=written.campaign, battle=body["battle"], kingdom=body["kingdom"])
    muster = rows.filter(code=body.get("muster", "")).first()
    if muster is None:
        raise Refusal("There is no such muster in this campaign.", status=409, field="muster")
    muster.campaign = written.campaign
    return muster
