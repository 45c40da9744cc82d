"""Find a battle the requester may see, and the house rules it is fought by."""

from django.db.models import QuerySet
from django.http import Http404

from battles.models import Battle
from campaign import selectors as campaign_selectors
from campaign.chronicle.state import State
from people.requester import Who, WhoWithPasses
from prepared_queries import prepared_query
from rulebook.data.house_rules import Options


@prepared_query
def _visible_battle(who: Who, code: str) -> QuerySet[Battle]:
    rows = Battle.objects.visible_to(who).filter(code=code)
    return rows.select_related("log", "campaign__log", "campaign__snapshot")


def get_visible_battle(who: Who, code: str) -> tuple[Battle, State | None]:
    """The battle and the state of its campaign; 404 if the requester may not see it."""
    battle = _visible_battle.first(WhoWithPasses(who), code)
    if battle is None:
        raise Http404
    if battle.campaign is None:
        return battle, None
    return battle, campaign_selectors.state_as_read(battle.campaign)


def options_of(battle: Battle, state: State | None) -> Options:
    """The campaign's current options, or those the battle began with."""
    return state.rules() if state else Options.from_differences(battle.options)
