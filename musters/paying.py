"""What costs VP in a muster: paid in the chronicle and done in the muster in one transaction, or neither."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils import timezone

from campaign import door as chronicle
from campaign.models import Campaign
from log import door, news
from log.models import Entry, Log
from musters import may, sealing
from musters.annals import PAID, TAKEN
from musters.door import ANSWERED_ALREADY, course_of, held, rolled_on, thrower, token
from musters.models import Muster
from musters.rolls import lines
from musters.rolls.code import DICE, Source, code_of
from musters.rolls.plain import army_json
from people.models import Person
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
    if (before := door.answered(muster.campaign.log_id, who=who.ref, key=key)) is not None:
        return before
    _, now = held(muster, state, question)
    body = {"battle": muster.battle, "kingdom": muster.kingdom, "muster": muster.code, "question": question, **more}
    if more["what"] == "regain" and now.question is not None:
        body["house"] = now.question.slot.number
    behalf = may.behalf(state, muster, person)
    ruler = Person.objects.filter(pk=behalf).first() if behalf else None
    return chronicle.do(muster.campaign, who, key=key, act=PAID, body=body, on_behalf_of=ruler, accept_late=True)


def take(muster: Muster, who: Who, *, key: str) -> dict[str, Any]:
    """Write the finished army into the chronicle. From then on it stays as it was mustered."""
    state = may.state_of(muster.campaign)
    may.act(state, muster, who)
    if muster.entry is not None:
        return {"entry": muster.entry}
    _, now = held(muster, state, None)
    if now.army is None:
        raise Refusal("The muster is not done. Answer its last questions first.", status=409)
    source, drawn = DICE, {}
    if muster.dice == Muster.Dice.SEALED:
        seal = sealing.seal_of(muster, state)
        source = Source(seal.words, seal.side)
        drawn = {"drawn": [row.kingdom for row in (seal.mine, seal.theirs) if row and row.drawn]}
    code = code_of(now, source)
    body: dict[str, Any] = {
        "battle": muster.battle,
        "kingdom": muster.kingdom,
        "muster": muster.code,
        "dice": muster.dice,
        "lost": list(now.army.lost),
        **drawn,
    }
    if may.sight(state) == may.OPEN:
        # Elsewhere the army stays out of the chronicle, or everybody could read it in the campaign's file.
        body |= {"army": army_json(now.army), "code": code}
    return chronicle.do(muster.campaign, who, key=key, act=TAKEN, body=body, accept_late=True)


# --- in the chronicle's transaction -------------------------------------------------------------------------------------


def register() -> None:
    chronicle.afterwards(PAID, _after_paid)
    chronicle.afterwards(TAKEN, _after_taken)


def _after_paid(campaign: Campaign, number: int) -> None:
    """The die falls in the same transaction that pays for it."""
    entry, muster = _line(campaign, number)
    state = may.state_of(campaign)
    log = Log.objects.select_for_update().get(pk=muster.log_id)
    course = course_of(log.pk)
    now = course.muster()
    door.still({"question": entry.body.get("question")}, {"question": token(now)}, ANSWERED_ALREADY)
    pen = door.Pen(log)
    behalf = may.behalf(state, muster, entry.actor)
    if entry.body["what"] == "reroll":
        roll = entry.body.get("roll")
        if muster.dice != Muster.Dice.TYPED:
            roll = thrower(muster, now)()
        reroll(now, roll)  # refuses what is no die, or where the last answer was none
        pen.line(lines.AGAIN, actor=entry.actor_id, body={"roll": roll, "entry": number}, on_behalf_of=behalf)
    else:
        after = rolled_on(muster, now, answer(now, entry.body.get("value", "")))
        given = [one.plain() for one in after.answers[len(now.answers) :]]
        body = {"answers": given, "from": muster.dice, "entry": number}
        pen.line(lines.ANSWERED, actor=entry.actor_id, body=body, on_behalf_of=behalf)
    log.version += 1
    log.save(update_fields=["version", "length"])
    transaction.on_commit(lambda: news.publish(log.pk, log.version))


def _after_taken(campaign: Campaign, number: int) -> None:
    """The muster's row keeps the army, if the line is truly of this muster and it was not written before."""
    entry, muster = _line(campaign, number)
    log = Log.objects.select_for_update().get(pk=muster.log_id)
    now: Mustering = course_of(log.pk).muster()
    if now.army is None or list(now.army.lost) != list(entry.body.get("lost") or ()):
        raise Refusal("This is not what was mustered. Load the page again.", status=409)
    source = DICE
    if muster.dice == Muster.Dice.SEALED:
        seal = sealing.seal_of(muster)
        source = Source(seal.words, seal.side)
    values = {
        "army": army_json(now.army),
        "army_code": code_of(now, source),
        "entry": number,
        "taken_at": timezone.now(),
    }
    if not Muster.objects.filter(pk=muster.pk, entry=None).update(**values):
        raise Refusal("This army is written into the chronicle already.", status=409)
    log.version += 1
    log.save(update_fields=["version"])
    transaction.on_commit(lambda: news.publish(log.pk, log.version))


def _line(campaign: Campaign, number: int) -> tuple[Entry, Muster]:
    entry = Entry.objects.select_related("actor").get(log=campaign.log_id, number=number)
    body = entry.body
    muster = Muster.objects.filter(
        campaign=campaign, code=body.get("muster", ""), battle=body["battle"], kingdom=body["kingdom"]
    ).first()
    if muster is None:
        raise Refusal("There is no such muster in this campaign.", status=409, field="muster")
    muster.campaign = campaign
    return entry, muster
