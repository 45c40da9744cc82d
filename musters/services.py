"""Every write to a muster: each roll and choice, once, while the muster's log is locked."""

from collections.abc import Callable, Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from campaign.chronicle.acts.registry import RULES_VERSION
from campaign.chronicle.state import Kingdom, OpenBattle, State
from campaign.models import Campaign
from chance import Dice, new_seed
from log import services as log_services
from log.models import Entry
from musters import permissions, sealed_dice
from musters.chronicle_acts import require_open_battle, siege_side
from musters.core import codec
from musters.core.auto_roll import RollDie, count_dice, roll_until_choice
from musters.core.codec import (
    AnswersUndone,
    CampaignFacts,
    ChangesAccepted,
    MusterBegun,
    MusterEntry,
    MusterRestarted,
    MusterState,
    QuestionAnswered,
    RollKept,
    call_to_json,
    fold_entries,
)
from musters.models import Muster
from people.requester import Who
from prepared_queries import prepared_query
from refusal import Refusal
from rulebook.data.muster_table import MusterCall
from rulebook.muster.roll_muster import Muster as Mustering, answer_question

# The answer to a tap, which is stored and given again if the tap is repeated.
Receipt = Mapping[str, Any]

MODES = tuple(Muster.Dice.values)
ALREADY_ANSWERED = "This question was already answered, perhaps on another phone. Here is the next one."


def load_muster_state(log_id: int) -> MusterState:
    return fold_entries(codec.load_entry(act, body) for act, body in _log_rows(log_id))


@prepared_query
def _log_rows(log_id: int) -> QuerySet[Entry]:
    return Entry.objects.filter(log=log_id).order_by("number").values_list("act", "body")


# --- beginning ------------------------------------------------------------------------------------------------------


def begin_muster(who: Who, campaign: Campaign, battle: int, kingdom: str) -> Muster:
    """Find or begin the muster of this side. This fixes loyalty, houses and house rules."""
    state = permissions.state_of(campaign)
    fought, this_kingdom = require_open_battle(state, battle, kingdom)
    if before := permissions.find_muster(campaign, battle, kingdom):
        return before
    mode = state.terms.get("dice")
    fresh = Muster(campaign=campaign, battle=battle, kingdom=kingdom, dice=mode if mode in MODES else "typed")
    call = current_call(state, fought, this_kingdom)
    fresh.call = call_to_json(call)
    fresh.rules = RULES_VERSION
    person = permissions.require_actor(state, fresh, who)
    try:
        with transaction.atomic():
            fresh.log = log_services.create_log(
                "muster", lambda writer: append_entry(writer, MusterBegun(call, fresh.dice), actor=person.pk)
            )
            fresh.save()
    except IntegrityError:  # another phone was faster
        return Muster.objects.get(campaign=campaign, battle=battle, kingdom=kingdom)
    return fresh


def current_call(state: State, battle: OpenBattle, kingdom: Kingdom) -> MusterCall:
    return MusterCall(
        kingdom.loyalty, kingdom.lost_houses(), siege_side(battle, kingdom), max(kingdom.vp, 0), state.rules()
    )


def append_entry(
    writer: log_services.LogWriter, entry: MusterEntry, *, actor: int | None, on_behalf_of: int | None = None
) -> Entry:
    return writer.append(entry.key, actor=actor, body=codec.write_entry(entry), on_behalf_of=on_behalf_of)


def find_changes(progress: MusterState, state: State, muster: Muster) -> CampaignFacts | None:
    """What has changed in the campaign since the muster began and was not accepted yet, or None."""
    battle = state.battles.get(muster.battle)
    kingdom = state.kingdoms.get(muster.kingdom)
    if battle is None or kingdom is None:
        return None
    won_back = tuple([step.slot.number for step in progress.muster().steps if step.answer.value == "regain"])
    now = CampaignFacts.of(current_call(state, battle, kingdom), won_back)
    return None if now in (CampaignFacts.of(progress.call, won_back), progress.accepted) else now


# --- one step ---------------------------------------------------------------------------------------------------------


def submit_answer(muster: Muster, who: Who, *, key: str, question: str, value: int | str | None = None) -> Receipt:
    """Answer the open question: a typed die, the key of a choice, or None to roll here."""
    state = permissions.state_of(muster.campaign)
    person = permissions.require_actor(state, muster, who)

    def write(writer: log_services.LogWriter) -> Receipt:
        _, now = load_for_writing(muster, state, question)
        after = apply_answer(muster, now, value)
        given = after.answers[len(now.answers) :]
        behalf = permissions.on_behalf_of(state, muster, person)
        entry = append_entry(writer, QuestionAnswered(given, muster.dice), actor=person.pk, on_behalf_of=behalf)
        return {"line": entry.number, "answers": entry.body["answers"], "question": question_token(after)}

    return log_services.write(
        muster.log_id, who=who.ref, key=key, body={"question": question, "value": value}, act=write
    )


def apply_answer(muster: Muster, now: Mustering, value: int | str | None) -> Mustering:
    """The muster after this answer, with the dice that follow if the site rolls them."""
    question = now.question
    if question is None:
        raise Refusal("The muster is over.", status=409)
    if question.die:
        if muster.dice == Muster.Dice.TYPED:
            if value is None:
                raise Refusal("Enter your roll: a number from 1 to 10.", field="value")
            return answer_question(now, value)
        if value is not None:
            raise Refusal("The site rolls the dice in this campaign. You cannot enter a roll.", field="value")
        return roll_until_choice(now, dice_for(muster, now))
    if value in ("buy", "regain"):
        raise Refusal("This costs VP. Use its own button.", field="value")
    after = answer_question(now, "" if value is None else value)
    return roll_following_dice(muster, now, after)


def roll_following_dice(muster: Muster, before: Mustering, after: Mustering) -> Mustering:
    """After a choice, roll the dice of the same unit; the next house waits for its own tap."""
    if muster.dice == Muster.Dice.TYPED or after.question is None or before.question is None:
        return after
    return roll_until_choice(after, dice_for(muster, after)) if after.question.slot == before.question.slot else after


def dice_for(muster: Muster, now: Mustering) -> RollDie:
    if muster.dice == Muster.Dice.SEALED:
        return sealed_dice.sealed_die(muster, now)
    return Dice(new_seed()).d10


def load_for_writing(muster: Muster, state: State, question: str | None) -> tuple[MusterState, Mustering]:
    """The muster while its log is locked, or a refusal if its question has changed."""
    progress = load_muster_state(muster.log_id)
    now = progress.muster()
    require_open(muster, state)
    if question is not None:
        log_services.refuse_if_changed({"question": question}, {"question": question_token(now)}, ALREADY_ANSWERED)
    if changed := find_changes(progress, state, muster):
        raise Refusal(
            "The campaign has changed since this muster began. Choose whether to continue or restart.",
            status=409,
            fresh=codec.facts_to_json(changed),
        )
    return progress, now


def question_token(now: Mustering) -> str:
    """What a form has seen: the question and the number of dice rolled, so a double tap buys one re-roll."""
    return f"{now.question.key if now.question else 'done'}.{count_dice(now)}"


def require_open(muster: Muster, state: State) -> None:
    if muster.entry is not None:
        raise Refusal("This army is already in the chronicle and can no longer change.", status=409)
    if muster.battle not in state.battles:
        raise Refusal(f"Battle {muster.battle} is closed. The muster can no longer change.", status=409)


# --- going back, and going on ---------------------------------------------------------------------


def undo_last_answer(muster: Muster, who: Who, *, key: str, question: str) -> Receipt:
    """Undo the last typed roll or choice, until the next die is rolled."""

    def act(now: Mustering) -> MusterEntry:
        to = codec.answers_after_undo(now, muster.dice == Muster.Dice.TYPED)
        if to is None:
            raise Refusal("Nothing to undo: a roll made by the site cannot be changed.", status=409)
        return AnswersUndone(to)

    return _write_entry(muster, who, key=key, question=question, sent={"back": question}, act=act)


def keep_roll(muster: Muster, who: Who, *, key: str, question: str, value: int) -> Receipt:
    def act(now: Mustering) -> MusterEntry:
        if not now.answers or not now.answers[-1].rerolls or value not in now.answers[-1].thrown:
            raise Refusal("That roll does not exist. Reload the page.", status=409)
        return RollKept(value)

    return _write_entry(muster, who, key=key, question=question, sent={"keep": value, "at": question}, act=act)


def accept_changes(muster: Muster, who: Who, *, key: str, anew: bool) -> Receipt:
    """After the campaign changed: continue with the old values, or restart with the new ones."""
    state = permissions.state_of(muster.campaign)
    person = permissions.require_actor(state, muster, who)

    def write(writer: log_services.LogWriter) -> Receipt:
        require_open(muster, state)
        now = find_changes(load_muster_state(muster.log_id), state, muster)
        if now is None:
            raise Refusal("The campaign has not changed. Continue the muster.", status=409)
        if anew:
            call = current_call(state, *require_open_battle(state, muster.battle, muster.kingdom))
            append_entry(writer, MusterRestarted(call), actor=person.pk)
            Muster.objects.filter(pk=muster.pk).update(call=call_to_json(call))
        else:
            append_entry(writer, ChangesAccepted(now), actor=person.pk)
        return {"anew": anew}

    return log_services.write(muster.log_id, who=who.ref, key=key, body={"anew": anew}, act=write)


def _write_entry(
    muster: Muster,
    who: Who,
    *,
    key: str,
    question: str,
    sent: Mapping[str, object],
    act: Callable[[Mustering], MusterEntry],
) -> Receipt:
    state = permissions.state_of(muster.campaign)
    person = permissions.require_actor(state, muster, who)

    def write(writer: log_services.LogWriter) -> Receipt:
        _, now = load_for_writing(muster, state, question)
        behalf = permissions.on_behalf_of(state, muster, person)
        entry = append_entry(writer, act(now), actor=person.pk, on_behalf_of=behalf)
        return {"line": entry.number}

    return log_services.write(muster.log_id, who=who.ref, key=key, body=sent, act=write)
