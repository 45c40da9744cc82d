"""What costs VP in a muster: the chronicle and the muster's log change in one transaction."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from django.utils import timezone

from campaign import services as chronicle
from campaign.chronicle import codec
from campaign.chronicle.acts.registry import Act
from campaign.chronicle.state import State
from campaign.selectors import entries_of
from log import services as log_services
from musters import permissions, sealed_dice
from musters.chronicle_acts import PAID, TAKEN, FinishMuster, Payable, PayForMuster
from musters.core.army_code import LISTED_DICE, DiceSource, code_of
from musters.core.codec import AnswersUndone, DieRerolled, QuestionAnswered, answers_after_undo, army_to_json
from musters.models import Muster
from musters.services import (
    ALREADY_ANSWERED,
    Receipt,
    append_entry,
    dice_for,
    load_for_writing,
    load_muster_state,
    question_token,
    roll_following_dice,
    undo_last_answer,
)
from people.requester import Who
from refusal import Refusal
from rulebook.data.muster_table import REROLL_PRICE
from rulebook.muster.roll_muster import Muster as Mustering, answer_question, reroll_last_die

MISTYPED = "The last die was mistyped."
PAID_CHOICES: dict[str, Payable] = {"buy": "rebel_roll", "regain": "regain"}


def buy_reroll(muster: Muster, who: Who, *, key: str, question: str, roll: int | None = None) -> Receipt:
    typed = muster.dice == Muster.Dice.TYPED
    if typed and roll is None:
        raise Refusal("Re-roll the die and enter the result: a number from 1 to 10.", field="value")
    return _pay(muster, who, key, question, "reroll", roll=roll if typed else None)


def buy_choice(muster: Muster, who: Who, *, key: str, question: str, value: str) -> Receipt:
    if value not in PAID_CHOICES:
        raise Refusal("VP cannot buy that.", field="value")
    return _pay(muster, who, key, question, PAID_CHOICES[value], value=value)


def _pay(
    muster: Muster, who: Who, key: str, question: str, what: Payable, *, roll: int | None = None, value: str = ""
) -> Receipt:
    state = permissions.state_of(muster.campaign)
    person = permissions.require_actor(state, muster, who)
    try:
        _, now = load_for_writing(muster, state, question)
    except Refusal:
        # A double tap finds the next question open; repeat the first answer.
        if (before := log_services.find_answer(muster.campaign.log_id, who=who.ref, key=key)) is not None:
            return before
        raise
    house = now.question.slot.number if what == "regain" and now.question is not None else None
    act = PayForMuster(muster.battle, muster.kingdom, what, muster.code, question, value, house, roll)
    return _write(muster, who, now, act, key=key, on_behalf_of=permissions.on_behalf_of(state, muster, person))


def finish_muster(muster: Muster, who: Who, *, key: str) -> Receipt:
    """Add the finished army to the chronicle. It can no longer change."""
    state = permissions.state_of(muster.campaign)
    permissions.require_actor(state, muster, who)
    if muster.entry is not None:
        return {"entry": muster.entry}
    _, now = load_for_writing(muster, state, None)
    if now.army is None:
        raise Refusal("The muster is not finished. Answer the remaining questions first.", status=409)
    act = FinishMuster(muster.battle, muster.kingdom, muster.code, muster.dice, now.army.lost)
    if muster.dice == Muster.Dice.SEALED:
        sealed_words = sealed_dice.sealed_words_of(muster, state)
        drawn = tuple(row.kingdom for row in (sealed_words.mine, sealed_words.theirs) if row and row.drawn)
        act = replace(act, drawn=drawn)
    if permissions.visibility_setting(state) == permissions.OPEN:
        # A hidden army stays out of the chronicle: everybody can read the campaign's file.
        act = replace(act, army=army_to_json(now.army), code=code_of(now, _dice_source(muster)))
    return _write(muster, who, now, act, key=key)


def finish_if_settled(muster: Muster, who: Who, *, key: str) -> None:
    """A finished army counts at once, unless its last die can still be re-rolled or its other roll be kept."""
    state = permissions.state_of(muster.campaign)
    now = load_muster_state(muster.log_id).muster()
    last = now.answers[-1] if now.answers else None
    if now.army is None or last is None:
        return
    purse = min(max(state.kingdoms[muster.kingdom].vp, 0), now.vp_left)
    if last.thrown and (last.rerolls or purse >= REROLL_PRICE):
        return
    finish_muster(muster, who, key=key)


# --- a typed die that was wrong -----------------------------------------------------------------------

_reopen_checks: list[Callable[[Muster], None]] = []


def register_reopen_check(check: Callable[[Muster], None]) -> None:
    """``check`` refuses where an army that counts can no longer change, because it stands on the table."""
    _reopen_checks.append(check)


def find_correctable_answers(muster: Muster, state: State, now: Mustering) -> int | None:
    """How many answers stay when the last die of a muster that counts is corrected; None if it is too late for that.

    Only a die that somebody typed can be mistyped.
    """
    if muster.dice != Muster.Dice.TYPED or muster.entry is None or muster.battle not in state.battles:
        return None
    try:
        for check in _reopen_checks:
            check(muster)
    except Refusal:
        return None
    return answers_after_undo(now, typed=True)


def was_corrected(muster: Muster, who: Who, key: str) -> bool:
    """Whether this tap has opened the muster again already: a double tap."""
    return log_services.find_answer(muster.campaign.log_id, who=who.ref, key=key) is not None


def undo(muster: Muster, who: Who, *, key: str, question: str) -> Receipt:
    """Undo the last answer; of an army that counts already, the last die that somebody typed."""
    if muster.entry is not None or was_corrected(muster, who, key):
        return correct_last_die(muster, who, key=key, question=question)
    return undo_last_answer(muster, who, key=key, question=question)


def correct_last_die(muster: Muster, who: Who, *, key: str, question: str) -> Receipt:
    """Open a muster that counts again, to type its last die anew. The chronicle strikes the army and says why."""
    state = permissions.state_of(muster.campaign)
    permissions.require_actor(state, muster, who)
    sent = {"correct": muster.code, "question": question}

    def write(writer: log_services.LogWriter) -> Receipt:
        locked = chronicle.LockedCampaign(muster.campaign, writer)
        now = locked.now
        person = permissions.require_actor(now, muster, who)
        held = Muster.objects.get(pk=muster.pk)
        answers = load_muster_state(muster.log_id).muster()
        log_services.refuse_if_changed({"question": question}, {"question": question_token(answers)}, ALREADY_ANSWERED)
        for check in _reopen_checks:
            check(held)
        to = find_correctable_answers(held, now, answers)
        if to is None or held.entry is None:
            raise Refusal("This army can no longer change.", status=409)
        seen = chronicle.preview_correction(entries_of(locked.campaign), "strike", held.entry)
        if seen.flags:
            raise Refusal(
                "Later entries depend on this army. Ask the game master to correct the chronicle.", status=409
            )
        # First the row: who follows the correction reads it.
        Muster.objects.filter(pk=muster.pk).update(army=None, army_code="", entry=None, taken_at=None)
        done = locked.correct(seen, why=MISTYPED, actor=person.pk)
        behalf = permissions.on_behalf_of(now, muster, person)
        append_entry(writer.beside(muster.log_id), AnswersUndone(to), actor=person.pk, on_behalf_of=behalf)
        return done

    log_id = muster.campaign.log_id
    return log_services.write(log_id, who=who.ref, key=key, body=sent, act=write, beside=[muster.log_id])


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


def _write(muster: Muster, who: Who, now: Mustering, act: Act, *, key: str, on_behalf_of: int | None = None) -> Receipt:
    seen = SeenMuster(muster, now, muster.log.version)
    return chronicle.write(
        muster.campaign,
        who,
        act,
        key=key,
        on_behalf_of=on_behalf_of,
        accept_late=True,
        beside=[muster.log_id],
        brought=seen,
    )


# --- inside the chronicle's transaction ---------------------------------------------------------------


def register() -> None:
    chronicle.register_follow_up(PAID, _after_paid)
    chronicle.register_follow_up(TAKEN, _after_taken)


def _after_paid(written: chronicle.WrittenEntry) -> None:
    """Roll the die in the transaction that pays for it."""
    entry, act = written.entry, codec.read_stored_as(PayForMuster, written.entry.body)
    muster, writer, now = _load_current(written, act)
    log_services.refuse_if_changed({"question": act.question}, {"question": question_token(now)}, ALREADY_ANSWERED)
    step: QuestionAnswered | DieRerolled
    if act.what == "reroll":
        roll = act.roll if muster.dice == Muster.Dice.TYPED else dice_for(muster, now)()
        if roll is None:
            raise Refusal("Re-roll the die and enter the result: a number from 1 to 10.", field="roll")
        reroll_last_die(now, roll)  # refuses an invalid die, or if the last answer was not a die
        step = DieRerolled(roll, entry.number)
    else:
        after = roll_following_dice(muster, now, answer_question(now, act.value))
        step = QuestionAnswered(after.answers[len(now.answers) :], muster.dice, entry.number)
    append_entry(writer, step, actor=entry.actor_id, on_behalf_of=entry.on_behalf_of_id)


def _after_taken(written: chronicle.WrittenEntry) -> None:
    """Store the army in the muster's row, once, if the entry belongs to this muster."""
    act = codec.read_stored_as(FinishMuster, written.entry.body)
    muster, _, now = _load_current(written, act)
    if now.army is None or now.army.lost != act.lost:
        raise Refusal("This does not match the muster. Reload the page.", status=409)
    values = {
        "army": army_to_json(now.army),
        "army_code": code_of(now, _dice_source(muster)),
        "entry": written.entry.number,
        "taken_at": timezone.now(),
    }
    if not Muster.objects.filter(pk=muster.pk, entry=None).update(**values):
        raise Refusal("This army is already in the chronicle.", status=409)


def _load_current(
    written: chronicle.WrittenEntry, act: PayForMuster | FinishMuster
) -> tuple[Muster, log_services.LogWriter, Mustering]:
    """The muster the entry speaks of, its writer, and how far it is while both logs are held."""
    seen = written.brought if isinstance(written.brought, SeenMuster) else None
    muster = seen.muster if seen else _find_muster(written, act)
    writer = written.writer.beside(muster.log_id)
    if seen and seen.version == writer.log.version:
        return muster, writer, seen.now
    return muster, writer, load_muster_state(muster.log_id).muster()


def _find_muster(written: chronicle.WrittenEntry, act: PayForMuster | FinishMuster) -> Muster:
    rows = Muster.objects.filter(campaign=written.campaign, battle=act.battle, kingdom=act.kingdom)
    muster = rows.filter(code=act.muster).first()
    if muster is None:
        raise Refusal("This campaign has no such muster.", status=409, field="muster")
    muster.campaign = written.campaign
    return muster
