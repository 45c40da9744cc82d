"""Who may do what in a campaign, watch its log, and knows whom. A refusal says who could."""

from django.db.models import QuerySet

from campaign.chronicle.acts.registry import MASTER, MEMBER, RULER, Act, get_act
from campaign.chronicle.state import Kingdom, State
from campaign.models import Campaign, Member
from log import registry as log_registry
from people import acquaintances as people_acquaintances
from people.models import Person
from people.requester import Who
from prepared_queries import prepared_query
from refusal import Refusal


def ids_of(who: Who) -> set[int]:
    """Under which ids a state or an approval may know them; none if nobody is known."""
    return set(who.person.all_ids()) if who.person else set()


def is_master(state: State, who: Who) -> bool:
    return who.person is not None and who.in_office(bool(set(state.masters) & ids_of(who)))


def can_run(campaign: Campaign, who: Who) -> bool:
    """Whether they are a game master, asked of the members' table instead of the state."""
    return who.person is not None and who.in_office(Member.Role.MASTER in roles_in(campaign, who))


@prepared_query
def _roles(campaign: int, people: tuple[int, ...]) -> QuerySet[Member]:
    return Member.objects.filter(campaign=campaign, person__in=people).order_by().values_list("role", flat=True)


def roles_in(campaign: Campaign, who: Who) -> list[str]:
    """What they are in a campaign, nothing if they are not a member. Asked of the members' table, not of the state."""
    return _roles(campaign.pk, who.person.all_ids()) if who.person is not None else []


def require_member(campaign: Campaign, who: Who) -> Person:
    person = who.require_person()
    if not roles_in(campaign, who):
        raise Refusal("Only members of this campaign can do this.", status=403)
    return person


def check_permission(campaign: Campaign, who: Who, act: Act, state: State) -> Person:
    """The person who acts, or a refusal."""
    return require_role(campaign, who, act.by, act.rulers_in(state), state)


def require_role(campaign: Campaign, who: Who, by: str, kingdoms: tuple[str, ...], state: State) -> Person:
    """The person, if they are a master, rule one of the kingdoms or are a member, whichever ``by`` asks for."""
    if who.person is not None:
        rules_one = by == RULER and any(kingdom.id in kingdoms for kingdom in state.ruled_by(ids_of(who)))
        if rules_one or is_master(state, who):
            return who.person
    person = require_member(campaign, who)
    if by == MEMBER:
        return person
    if by == MASTER:
        raise Refusal("Only the game master can do this.", status=403)
    raise Refusal("Only the ruler of this kingdom, their regent or the game master can do this.", status=403)


def kingdoms_to_act_for(state: State, who: Who, act: str) -> list[Kingdom]:
    """The kingdoms for which they can do an act: all for a master, their own for a ruler."""
    if is_master(state, who):
        return state.in_play()
    by = get_act(act).by
    return state.ruled_by(ids_of(who)) if by != MASTER else []


def can_watch(who: Who, log_id: int) -> bool:
    """Whether they see the log of a campaign, and so may listen to its news."""
    return Campaign.objects.visible_to(who).filter(log_id=log_id).exists()


def find_fellow_members(who: Who) -> QuerySet:
    return Member.objects.filter(campaign__in=Campaign.objects.of(who)).values("person")


def find_members_run_by(who: Who) -> QuerySet:
    """People that a game master looks after."""
    return Member.objects.filter(campaign__in=Campaign.objects.run_by(who)).values("person")


def register() -> None:
    log_registry.register_kind("campaign", can_watch)
    people_acquaintances.register_source(find_fellow_members)
    people_acquaintances.register_master_source(find_members_run_by)
