"""Invitations to a campaign: a pass makes its holder a player once they accept."""

import datetime as dt
from dataclasses import dataclass

from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from campaign import selectors, services as campaign_services
from campaign.models import Campaign, Member, Snapshot
from log import services as log_services
from pages.site_address_for_guests import GuestAddress, guest_url
from people.guests import find_namesake
from people.models import Pass, Person, PersonalLink
from people.name_validation import inline_name
from people.passes import services as passes_services
from people.requester import Who

KIND = "join_campaign"
LASTS = dt.timedelta(days=30)


def register() -> None:
    passes_services.register_kind(
        KIND,
        "Invitation to a campaign",
        prompt=make_prompt,
        on_accept=accept,
        belongs_to="maker",
        holds=False,
        needs_person=True,
        invites=True,
        why_name_taken=taken_name_text,
    )


def make_prompt(row: Pass, who: Who) -> passes_services.PassPrompt | None:
    campaign = Campaign.objects.filter(pk=row.target).first()
    if campaign is None:
        return None
    name = inline_name(campaign.name)
    if Campaign.objects.of(who).filter(pk=campaign.pk).exists():
        return passes_services.PassPrompt(f"You are already in {name}.", button="Go to the campaign")
    more = "Members can read and add to its chronicle."
    return passes_services.PassPrompt(f"You are invited to {name}.", button="Join the campaign", more=more)


def taken_name_text(row: Pass, name: str) -> str:
    """Refuse the name of a member: they would join twice, once without a kingdom."""
    members = Member.objects.filter(campaign=row.target).select_related("person__merged_into")
    here = find_namesake((member.person for member in members), name)
    if not here:
        return ""
    return (
        f"{here} is already in this campaign. If that is you, ask your game master for your personal link. "
        "If not, choose another name."
    )


def accept(row: Pass, request: HttpRequest) -> str:
    campaign = Campaign.objects.get(pk=row.target)
    # The pass is the key, so accepting twice joins once.
    join_campaign(campaign, request.who, key=f"invitation-{row.pk}")
    return reverse("campaign:page", args=[campaign.code])


def create_invitation(campaign: Campaign, who: Who, *, label: str) -> Pass:
    """One link for the whole group, until it is revoked or expires."""
    return passes_services.create_pass(KIND, campaign.pk, by=who, label=label, lasts=LASTS, uses=None)


def open_invitations(campaign: Campaign) -> QuerySet[Pass]:
    return Pass.objects.open().filter(kind=KIND, target=campaign.pk).order_by("-made_at", "-pk")


@dataclass(frozen=True, slots=True)
class GuestLink:
    person: Person
    link: PersonalLink | None

    @property
    def has_link(self) -> bool:
        return self.link is not None

    @property
    def address(self) -> GuestAddress | None:
        """None if there is no link or it can no longer be shown."""
        return guest_url(self.link.get_absolute_url()) if self.link and self.link.token else None

    @property
    def opened_at(self) -> dt.datetime | None:
        return self.link.opened_at if self.link else None


def find_guest_links(campaign: Campaign, who: Who) -> list[GuestLink]:
    """Members without an account whom the viewer looks after."""
    links = []
    for person in _guests_of(campaign, who).select_related("personal_link__made_by__merged_into"):
        link = getattr(person, "personal_link", None)
        links.append(GuestLink(person, link if link and passes_services.is_link_valid(link) else None))
    return links


def issue_guest_links(campaign: Campaign, who: Who) -> None:
    """Create a personal link for everyone who has none."""
    for guest in find_guest_links(campaign, who):
        if not guest.has_link:
            passes_services.issue_link(guest.person, by=who)


def _guests_of(campaign: Campaign, who: Who) -> QuerySet[Person]:
    ids = campaign.members.values("person")
    at_table = Person.objects.filter(Q(pk__in=ids) | Q(merged_from__in=ids)).exclude(pk=who.require_person().pk)
    return Person.objects.editable_by(who).filter(pk__in=at_table)


def join_campaign(campaign: Campaign, who: Who, *, key: str) -> dict[str, object]:
    """Someone with an invitation becomes a player; joining twice changes nothing."""
    person = who.require_person()

    def act(writer: log_services.LogWriter) -> dict[str, object]:
        if Member.objects.filter(campaign=campaign, person__in=person.all_ids()).exists():
            return {"entry": None}
        fresh = campaign_services.LockedCampaign(campaign, writer).campaign
        Member.objects.create(campaign=campaign, person=person)
        before = selectors.snapshot_of(fresh)
        entry = writer.append("joined", actor=person.pk)
        # It has no effects, so the state is carried on as it is.
        last = max(before.last_played, timezone.localdate())
        selectors.save_snapshot(
            fresh, Snapshot(campaign=fresh, length=entry.number, last_played=last, state=before.state)
        )
        return {"entry": entry.number}

    return log_services.write(campaign.log_id, who=who.ref, key=key, body={"act": "join"}, act=act)
