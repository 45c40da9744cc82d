"""One public campaign with hidden musters, and everybody who can look at it: each sees something else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.test import Client

from battles.models import Battle
from battles.slip import access_codes
from campaign.invitations import services as invitations_services
from campaign.models import Campaign
from cardgames.decks import services as decks_services
from cardgames.games import house_deck
from log.services import new_key
from musters import vp_payments
from musters.models import Muster
from people import guests as guests_services
from people.passes import services
from people.requester import Who
from tests.musters.sample_war import Scene, scene


@dataclass
class World:
    war: Scene
    battle: Battle
    musters: tuple[Muster, ...]
    clients: dict[str, Client]
    people: dict[str, Any]  # without those who are known by a pass only, or not at all
    whos: dict[str, Who]

    @property
    def code(self) -> str:
        return self.war.campaign.code


def make_world(make_person: Any) -> World:
    war = scene(make_person, muster_sight="own")
    master = Who.of(war.master)
    people = {"master": war.master, "ruler": war.oak, "opponent": war.fen}
    people |= {
        name: make_person(name.capitalize()) for name in ("regent", "member", "stranger", "owner", "slip_player")
    }
    people["owner"].account.is_superuser = people["owner"].account.is_staff = True
    people["owner"].account.save()
    people["guest"] = guests_services.add_guest(master, "Guest", key="guest-of-the-table")
    for name in ("regent", "member", "guest"):
        invitations_services.join_campaign(war.fresh(), Who.of(people[name]), key=f"joins-{name}")
    musters = []
    for person, kingdom, faces in ((war.oak, "k1", [1, 9]), (war.fen, "k2", [4, 2, 10])):
        muster = war.finish(war.begin(person, kingdom), person, faces)
        vp_payments.finish_muster(muster, Who.of(person), key=new_key())
        musters.append(muster)
    war.do("regent_named", {"kingdom": "k1", "person": people["regent"].pk}, who=war.oak)
    Campaign.objects.update(visibility=Campaign.Visibility.PUBLIC)
    decks_services.create_copy(Who.of(war.oak), house_deck("menagerie"), key="a-deck-of-the-ruler")

    clients = {name: person.client for name, person in people.items() if name != "guest"}
    clients |= {name: Client() for name in ("nobody", "guest", "slip_holder")}
    clients["guest"].get(services.issue_link(people["guest"], by=master).get_absolute_url())
    clients["guest"].post("/p/")
    battle = Battle.objects.get(campaign=war.campaign, number=war.battle)
    slip = access_codes.get_or_create_slip(battle, master).link
    with_slip = ("slip_holder", "slip_player")
    for name in with_slip:
        clients[name].get(slip.get_absolute_url(), follow=True)
    whos = {name: Who.of(people.get(name), (slip,) if name in with_slip else ()) for name in clients}
    return World(war, battle, tuple(musters), clients, people, whos)
