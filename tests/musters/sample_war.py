"""A war of two kingdoms with an open battle, and the players who muster for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.test import Client

from campaign import selectors as campaign_selectors, services as campaign_services
from campaign.chronicle.codec import read_sent
from campaign.chronicle.state import TERM, State
from campaign.founding import services as founding_services
from campaign.invitations import services as invitations_services
from campaign.models import Campaign
from log.services import new_key
from musters import permissions as musters_permissions, services as musters_services
from musters.models import Muster
from people.requester import Who
from tests.campaign.chronicle.sample_wars import joining


@dataclass
class Scene:
    campaign: Campaign
    master: Any
    oak: Any  # rules k1, the defender
    fen: Any  # rules k2, the attacker
    battle: int = 1

    def fresh(self) -> Campaign:
        return Campaign.objects.select_related("log", "snapshot").get(pk=self.campaign.pk)

    @property
    def state(self) -> State:
        return campaign_selectors.state_of(self.fresh())

    def do(self, act: str, body: dict[str, Any], who: Any = None, **more: Any) -> dict[str, Any]:
        return campaign_services.write(
            self.fresh(), Who.of(who or self.master), key=new_key(), act=read_sent(act, body), **more
        )

    def terms(self, **terms: Any) -> None:
        """Writes only what differs from the defaults."""
        changed = {key: value for key, value in terms.items() if value != TERM[key].default}
        if changed:
            self.do("house_rules", {"terms": changed})

    def begin(self, person: Any, kingdom: str) -> Muster:
        return musters_services.begin_muster(Who.of(person), self.fresh(), self.battle, kingdom)

    def step(self, muster: Muster, person: Any, value: Any = None) -> dict[str, Any]:
        result = musters_permissions.get_muster(Who.of(person), muster.code)
        return musters_services.submit_answer(
            result, Who.of(person), key=new_key(), question=musters_services.question_token(now(muster)), value=value
        )

    def finish(self, muster: Muster, person: Any, faces: Any = None) -> Muster:
        """Answers every question with its default, using these dice and then sevens."""
        left = iter(faces or ())
        while (question := now(muster).question) is not None:
            if not question.die:
                self.step(muster, person, question.default)
            else:
                self.step(muster, person, next(left, 7) if muster.dice == "typed" else None)
        return musters_permissions.get_muster(Who.of(person), muster.code)

    def strike(self, entry: int) -> None:
        entries = campaign_selectors.entries_of(self.fresh())
        seen = campaign_services.preview_correction(entries, "strike", entry)
        campaign_services.write_correction(
            self.fresh(),
            Who.of(self.master),
            key=new_key(),
            kind="strike",
            target=entry,
            why="a slip",
            digest=seen.digest,
        )


def now(muster: Muster) -> Any:
    return musters_services.load_muster_state(muster.log_id).muster()


def scene(make_person: Any, *, castle: bool = False, vp: int = 0, **terms: Any) -> Scene:
    master, oak, fen = make_person("Wren"), make_person("Tam"), make_person("Oda")
    campaign = founding_services.found_campaign(Who.of(master), key="one-campaign", name="The War of the Hedges")
    for person in (oak, fen):
        invitations_services.join_campaign(campaign, Who.of(person), key=f"join-{person.pk}-x")
    made = Scene(campaign, master, oak, fen)
    made.do("kingdom_joins", joining("Oakhold", ruler=oak.pk))
    made.do("kingdom_joins", joining("Fenwick", ruler=fen.pk))
    if terms:
        made.terms(**terms)
    if vp:
        made.do("agreed_change", {"vp": {"k1": vp, "k2": vp}, "why": "spoils"})
    if castle:
        made.do(
            "agreed_change", {"hold": {"k1.lands": "k2", "k1.border_1": "k2", "k1.border_2": "k2"}, "why": "a long war"}
        )
    target = "k1.castle" if castle else "k1.border_1"
    made.battle = made.do("battle_declared", {"attacker": "k2", "target": target}, who=fen)["body"]["battle"]
    return made


def answered(client: Client, muster: Muster, value: Any = None, **more: Any) -> Any:
    """Sends one tap as a browser without scripts does: with the page's own key and question."""
    page = client.get(f"/musters/{muster.code}/")
    question = page.context["wizard"].token
    body = {"key": page.context["key"], "question": question, **more}
    if value is not None:
        body["value"] = value
    return client.post(f"/musters/{muster.code}/answer/", body)
