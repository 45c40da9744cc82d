"""What campaigns show on the home page."""

import datetime as dt
from collections.abc import Iterable, Iterator

from django.db.models import OuterRef, QuerySet, Subquery
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from campaign import selectors
from campaign.approvals.pending_list import approval_row
from campaign.chronicle.sentences import Names
from campaign.chronicle.state import SOLO, State
from campaign.display import names_of_people
from campaign.models import Approval, Campaign, Member, Visit
from campaign.permissions import ids_of
from log.models import Entry
from pages import home_items as pages_home_items
from pages.home_items import HomeItem
from people.models import NamesById
from people.requester import Who
from prepared_queries import prepared_query

MAX_ITEMS = 20


def register() -> None:
    pages_home_items.register_source(find_home_items)
    pages_home_items.register_source(thrones_taken, rows=_any_throne_taken)
    pages_home_items.register_source(lonely_campaigns)


def find_home_items(request: HttpRequest) -> Iterator[HomeItem]:
    yield from _attacks(request)
    yield from _approvals(request)


def lonely_campaigns(request: HttpRequest) -> Iterator[HomeItem]:
    own = selectors.own_campaigns(request.who)
    for campaign in [campaign for campaign in own.run if campaign.size == 1][:5]:
        if any(kingdom.status == SOLO for kingdom in own.state_of(campaign).kingdoms.values()):
            continue  # a solo player invites nobody
        yield HomeItem(
            group="me",
            title=campaign.name,
            text="Nobody has joined yet. Share a link or a QR code; players need no account.",
            url=reverse("campaign:invite", args=[campaign.code]),
            button="Invite your players",
            icon="c-map",
        )


def _attacks(request: HttpRequest) -> Iterator[HomeItem]:
    """Roll-offs you have won and not used yet."""
    who = request.who
    if who.person is None:
        return
    rolled = [row for row in selectors.own_campaigns(who).running if row[1].attack_roll]
    for campaign, state in rolled[:MAX_ITEMS]:
        mine = {kingdom.id: kingdom for kingdom in state.ruled_by(ids_of(who))}
        if state.attack_roll and state.attack_roll.is_due and state.attack_roll.winner in mine:
            winner = mine[state.attack_roll.winner]
            yield HomeItem(
                group="me",
                title="Your attack: choose a target",
                text=f"{winner.name} won the roll-off in {campaign.name}.",
                url=f"{reverse('campaign:targets', args=[campaign.code])}?attacker={winner.id}",
                button="Choose a target",
                icon="c-sword",
            )


def _any_throne_taken(who: Who, since: dt.datetime) -> QuerySet[Entry]:
    run = Campaign.objects.run_by(who).order_by().values("log")
    return Entry.objects.filter(log__in=run, act="throne_taken", entered_at__gte=since)


@prepared_query
def _thrones_taken_since(logs: tuple[int, ...], since: dt.datetime) -> QuerySet[Entry]:
    taken = Entry.objects.filter(log__in=logs, act="throne_taken", entered_at__gte=since)
    return taken.select_related("actor__merged_into")[:MAX_ITEMS]


def thrones_taken(request: HttpRequest) -> Iterator[HomeItem]:
    """For the game master: who took a vacant kingdom since they last looked."""
    who = request.who
    if who.person is None:
        return
    run = {campaign.log_id: campaign for campaign in selectors.own_campaigns(who).run}
    taken = _thrones_taken_since(tuple(run), timezone.now() - pages_home_items.RECENT) if run else []
    if not taken:
        return
    ids = who.person.all_ids()
    seen = dict(Visit.objects.filter(campaign__in=run.values(), person__in=ids).values_list("campaign", "number"))
    for entry in taken:
        campaign = run[entry.log_id]
        if entry.actor_id in ids or seen.get(campaign.pk, 0) >= entry.number:
            continue
        state = selectors.own_campaigns(who).state_of(campaign)
        names = Names(state, {entry.actor_id: entry.actor.root.name} if entry.actor else {})
        yield HomeItem(
            group="me",
            title=campaign.name,
            text=f"{names.person(entry.actor_id)} took the throne of {names.kingdom(entry.body['kingdom'])}.",
            url=f"{campaign.get_absolute_url()}#chronicle",
            button="View",
            icon="c-crown",
        )


@prepared_query
def _open_approvals(who: Who) -> QuerySet[Approval]:
    """With the names of the campaign's members."""
    members = Member.objects.filter(campaign=OuterRef("campaign")).order_by().values("campaign")
    names = Subquery(members.annotate(names=NamesById("person")).values("names"))
    rows = Approval.objects.visible_to(who).open().filter(campaign__archived_at=None).annotate(names=names)
    return rows.select_related("campaign__log")[:MAX_ITEMS]


def _approvals(request: HttpRequest) -> Iterator[HomeItem]:
    """Reports and corrections waiting for you, and your own waiting for others."""
    who = request.who
    if who.person is None:
        return
    rows, mine = _open_approvals(who), ids_of(who)
    states = {row.campaign_id: selectors.own_campaigns(who).state_of(row.campaign) for row in rows}
    people = _names_of_people(rows, states.values())
    for row in rows:
        state = states[row.campaign_id]
        approval = approval_row(row, state, Names(state, people), mine)
        if not approval.asks_me and row.laid_by_id not in mine:
            continue
        yield HomeItem(
            group="me" if approval.asks_me or approval.trouble else "others",
            title=f"{approval.title}, {row.campaign.name}",
            text=approval.trouble or approval.text,
            url=approval.url,
            button="Answer" if approval.asks_me else "View",
            icon="c-seal",
        )


def _names_of_people(approvals: list[Approval], states: Iterable[State]) -> dict[int, str]:
    wanted = {version["person"] for row in approvals for version in row.versions}
    wanted |= {kingdom.acting for state in states for kingdom in state.kingdoms.values() if kingdom.acting}
    known = {int(pk): name for row in approvals for pk, name in (row.names or {}).items()}
    return known | names_of_people(wanted - set(known))
