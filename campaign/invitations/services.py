"""Invitations to a campaign: a pass that makes whoever holds it a player, once they say yes."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse

from campaign import chronicle
from campaign.models import Campaign, Member
from pages.address import GuestAddress, guest_url
from people import links, passes
from people.models import Pass, Person
from people.names import clean_name, said
from people.who import Who

KIND = "join_campaign"
LASTS = dt.timedelta(days=30)


def register() -> None:
    passes.register(
        KIND, "Invitation to a campaign", ask=ask, on_accept=accept, holds=False, needs_person=True, invites=True, taken=taken
    )  # fmt: skip


def ask(row: Pass, who: Who) -> passes.Ask | None:
    campaign = Campaign.objects.filter(pk=row.target).first()
    if campaign is None:
        return None
    if Campaign.objects.of(who).filter(pk=campaign.pk).exists():
        return passes.Ask(f"You already belong to {said(campaign.name)}.", button="Go to the campaign")
    return passes.Ask(
        f"You are invited to {said(campaign.name)}.",
        button="Join the campaign",
        more="You will see its chronicle and write in it. Nothing happens until you join.",
    )


def taken(row: Pass, name: str) -> str:
    """Whoever was written down for this table would otherwise sit there twice, once without a kingdom."""
    members = Member.objects.filter(campaign=row.target).select_related("person__merged_into")
    typed = clean_name(name).casefold()
    here = next((one.person.root.name for one in members if one.person.root.name.casefold() == typed), "")
    if not here:
        return ""
    return f"{here} sits at this table already. If that is you, ask your game master for your personal link. If not, add something to the name."


def accept(row: Pass, request: HttpRequest) -> str:
    campaign = Campaign.objects.get(pk=row.target)
    # The pass is the key: accepted twice, it joins once.
    chronicle.join(campaign, request.who, key=f"invitation-{row.pk}")
    return reverse("campaign:page", args=[campaign.code])


def make(campaign: Campaign, who: Who, *, label: str) -> Pass:
    """One link for the whole table: it can be used by as many as sit there, until it is taken back or runs out."""
    return passes.make(KIND, campaign.pk, by=who, label=label, lasts=LASTS, uses=None)


def open_passes(campaign: Campaign) -> QuerySet[Pass]:
    return Pass.objects.open().filter(kind=KIND, target=campaign.pk).order_by("-made_at", "-pk")


# --- friends who were written down: each has a link of their own ----------------------------------------------------


@dataclass(frozen=True, slots=True)
class Friend:
    person: Person
    has_link: bool
    address: GuestAddress | None  # None where there is no link, or its text cannot be shown any more
    opened_at: dt.datetime | None


def friends(campaign: Campaign, who: Who) -> list[Friend]:
    """Friends without an account at this table, whom this one looks after."""
    found = []
    for person in _kept(campaign, who).select_related("personal_link__made_by__merged_into"):
        link = getattr(person, "personal_link", None)
        if link and not links.opens(link):
            link = None
        address = guest_url(link.get_absolute_url()) if link and link.token else None
        found.append(Friend(person, link is not None, address, link.opened_at if link else None))
    return found


def link_friends(campaign: Campaign, who: Who) -> None:
    """A personal link for everyone who has none yet; those handed out go on working."""
    for friend in friends(campaign, who):
        if not friend.has_link:
            links.issue(friend.person, by=who)


def _kept(campaign: Campaign, who: Who) -> QuerySet[Person]:
    ids = campaign.members.values("person")
    at_table = Person.objects.filter(Q(pk__in=ids) | Q(merged_from__in=ids)).exclude(pk=who.person.pk)
    return Person.objects.editable_by(who).filter(pk__in=at_table)
