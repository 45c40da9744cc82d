"""Who can muster for a kingdom, and who can see a muster or its log before the battle is over."""

from collections.abc import Collection
from typing import Any

from django.db.models import QuerySet
from django.db.models.signals import post_delete
from django.http import Http404
from django.shortcuts import get_object_or_404

from campaign import selectors as campaign_selectors
from campaign.chronicle.state import State
from campaign.models import Campaign
from campaign.permissions import is_master
from log import registry as log_registry
from log.models import Log
from musters.models import Muster
from people.models import Person
from people.requester import Who
from prepared_queries import prepared_query
from refusal import Refusal

OPEN, AFTER = "open", "after"


def get_campaign(who: Who, code: str) -> Campaign:
    """The campaign with its log and latest state, or 404 if they may not see it."""
    rows = Campaign.objects.visible_to(who).select_related("log", "snapshot")
    return get_object_or_404(rows, code=code)


def find_muster(campaign: Campaign, battle: int, kingdom: str) -> Muster | None:
    return Muster.objects.filter(campaign=campaign, battle=battle, kingdom=kingdom).first()


def get_muster(who: Who, code: str) -> Muster:
    """The muster with its campaign, both logs, the latest state and the sealed words: one query."""
    muster = _visible_musters.first(who, code)
    if muster is None:
        raise Http404
    return muster


def get_again(muster: Muster) -> Muster:
    """The same muster after an act. Its campaign is read again only if something was written there."""
    fresh: Muster = _musters_by_id(muster.pk)[0]
    if fresh.campaign.log.version == muster.campaign.log.version:
        fresh.campaign = muster.campaign
    return fresh


@prepared_query
def _musters_by_id(pk: int) -> QuerySet[Muster]:
    return Muster.objects.filter(pk=pk).with_sealed_words().select_related("log", "campaign__log")


@prepared_query
def _visible_musters(who: Who, code: str) -> QuerySet[Muster]:
    rows = Muster.objects.visible_to(who).filter(code=code).with_sealed_words()
    return rows.select_related("log", "campaign__log", "campaign__snapshot")


def state_of(campaign: Campaign) -> State:
    """The latest state; no extra query if the campaign came with its snapshot."""
    return campaign_selectors.state_as_read(campaign)


def visibility_setting(state: State) -> str:
    return str(state.terms.get("muster_sight") or OPEN)


def can_act_for(state: State, kingdom: str, who: Who) -> bool:
    """Its ruler, its regent, or the game master."""
    if who.person is None:
        return False
    return is_master(state, who) or is_ruler(state, kingdom, who)


def is_ruler(state: State, kingdom: str, who: Who) -> bool:
    this_kingdom = state.kingdoms.get(kingdom)
    return bool(this_kingdom and who.person and {this_kingdom.ruler, this_kingdom.regent} & set(who.person.all_ids()))


def require_actor(state: State, muster: Muster, who: Who) -> Person:
    if who.person is None or not can_act_for(state, muster.kingdom, who):
        raise Refusal("Only the ruler of this kingdom, its regent or the game master can muster.", status=403)
    if is_hidden_from(state, muster, who):
        raise Refusal(_HIDDEN_SENTENCE, status=403)
    if muster.campaign.archived_at:
        raise Refusal("This campaign is archived. Restore it before you muster.", status=409)
    return who.person


def on_behalf_of(state: State, muster: Muster, person: Person) -> int | None:
    """The ruler, if somebody else acts for them; the log entry names both."""
    kingdom = state.kingdoms.get(muster.kingdom)
    acting = kingdom.acting if kingdom else None
    return acting if acting is not None and acting not in person.all_ids() else None


_HIDDEN_SENTENCE = "Musters are hidden from the other side in this campaign. Come back after the battle."
_SHOWN_LATER_SENTENCE = "Musters stay hidden until both sides are done. Come back then."


def require_viewer(state: State, muster: Muster, who: Who) -> None:
    if is_hidden_from(state, muster, who):
        raise Refusal(_SHOWN_LATER_SENTENCE if visibility_setting(state) == AFTER else _HIDDEN_SENTENCE, status=403)


def is_hidden_from(state: State, muster: Muster, who: Who) -> bool:
    """By the campaign's setting. A game master who plays the other side counts as that side."""
    how = visibility_setting(state)
    battle = state.battles.get(muster.battle)
    if how == OPEN or battle is None or is_ruler(state, muster.kingdom, who):
        return False
    other = battle.opponent_of(muster.kingdom)
    kingdom = state.kingdoms.get(muster.kingdom)
    if (
        who.person
        and is_master(state, who)
        and (not is_ruler(state, other, who) or (kingdom and kingdom.acting is None))
    ):
        return False
    return not (how == AFTER and have_both_mustered(muster))


def have_both_mustered(muster: Muster) -> bool:
    return Muster.objects.filter(campaign=muster.campaign_id, battle=muster.battle).taken().count() == 2


# ── The muster's log: who can watch it live, how long it is secret ───────────────────────────────────────


def can_watch(who: Who, log_id: int) -> bool:
    """The stream sends only a version number, but hidden musters must not even show that somebody rolls."""
    rows = Muster.objects.visible_to(who).select_related("campaign__log", "campaign__snapshot")
    muster = rows.filter(log_id=log_id).first()
    return muster is not None and not is_hidden_from(state_of(muster.campaign), muster, who)


def find_hidden_logs(ids: Collection[int]) -> Collection[int]:
    """Logs of musters that the other side may not see yet."""
    rows = Muster.objects.filter(log__in=ids).select_related("campaign__log", "campaign__snapshot")
    states: dict[int, State] = {}
    hidden = []
    for muster in rows:
        if muster.campaign_id not in states:
            states[muster.campaign_id] = state_of(muster.campaign)
        if is_hidden_from(states[muster.campaign_id], muster, Who()):
            hidden.append(muster.log_id)
    return hidden


def register() -> None:
    log_registry.register_kind("muster", can_watch, still_secret=find_hidden_logs)
    post_delete.connect(_delete_log, sender=Muster, dispatch_uid="musters.permissions")


def _delete_log(instance: Muster, **_: Any) -> None:
    """Deleting a campaign deletes its musters, and each muster its log."""
    Log.objects.filter(pk=instance.log_id).delete()
