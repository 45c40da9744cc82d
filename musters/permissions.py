"""Who may muster for a kingdom, and who may look at a muster before the battle is over."""

from __future__ import annotations

from django.shortcuts import get_object_or_404

from campaign import reading
from campaign.annals.state import State
from campaign.door import is_master
from campaign.models import Campaign
from musters.models import Muster
from people.models import Person
from people.who import Who
from refusal import Refusal

OPEN, AFTER, OWN = "open", "after", "own"


def found(who: Who, code: str) -> Muster:
    """The muster with its campaign, both logs, the newest state and the sealed words: one query."""
    rows = Muster.objects.visible_to(who).with_words().select_related("log", "campaign__log", "campaign__snapshot")
    return get_object_or_404(rows, code=code)


def state_of(campaign: Campaign) -> State:
    """The newest state, from the row that came with the campaign if it is that."""
    return reading.kept_or_folded(campaign)


def sight(state: State) -> str:
    return str(state.terms.get("muster_sight") or OPEN)


def acts_for(state: State, kingdom: str, who: Who) -> bool:
    """Its ruler, its regent, or the game master."""
    if who.person is None:
        return False
    return is_master(state, who) or rules(state, kingdom, who)


def rules(state: State, kingdom: str, who: Who) -> bool:
    realm = state.kingdoms.get(kingdom)
    return bool(realm and who.person and {realm.ruler, realm.regent} & set(who.person.all_ids()))


def act(state: State, muster: Muster, who: Who) -> Person:
    """The Person who musters, or a refusal that says who could."""
    if who.person is None or not acts_for(state, muster.kingdom, who):
        raise Refusal("Only the ruler of this kingdom musters, their regent, or the game master.", status=403)
    if hidden_from(state, muster, who):
        raise Refusal(_HIDDEN, status=403)
    if muster.campaign.archived_at:
        raise Refusal("This campaign is in the archive. Take it out before you muster.", status=409)
    return who.person


def behalf(state: State, muster: Muster, person: Person) -> int | None:
    """For whom somebody else acts, so that the line says so."""
    realm = state.kingdoms.get(muster.kingdom)
    acting = realm.acting if realm else None
    return acting if acting is not None and acting not in person.all_ids() else None


_HIDDEN = "This table keeps musters hidden from the other side. Look again when the battle is over."
_LATER = "This table shows a muster when both sides are done. Look again then."


def see(state: State, muster: Muster, who: Who) -> None:
    if hidden_from(state, muster, who):
        raise Refusal(_LATER if sight(state) == AFTER else _HIDDEN, status=403)


def hidden_from(state: State, muster: Muster, who: Who) -> bool:
    """What the table agreed. A game master who fights on the other side is the other side; a kingdom nobody rules has no secrets."""
    how = sight(state)
    battle = state.battles.get(muster.battle)
    if how == OPEN or battle is None or rules(state, muster.kingdom, who):
        return False
    other = battle.defender if battle.attacker == muster.kingdom else battle.attacker
    realm = state.kingdoms.get(muster.kingdom)
    if who.person and is_master(state, who) and (not rules(state, other, who) or (realm and realm.acting is None)):
        return False
    return not (how == AFTER and both_taken(muster))


def both_taken(muster: Muster) -> bool:
    return Muster.objects.filter(campaign=muster.campaign_id, battle=muster.battle).taken().count() == 2
