"""Eight phones act on one muster at every critical moment."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from campaign import selectors as campaign_selectors, services as campaign_services
from campaign.chronicle.codec import read_sent
from campaign.founding import services as founding_services
from campaign.models import Campaign
from log.models import Entry
from log.services import new_key
from musters import permissions as musters_permissions, services as musters_services, vp_payments
from musters.models import Muster
from people.models import Person
from people.requester import Who
from tests.campaign.chronicle.sample_wars import joining
from tests.races import run_at_once

PHONES = 8


def at_once(act: Callable[[], Any]) -> list[str]:
    """The answer each phone got: done, the status of the refusal, or the error."""
    outcomes = run_at_once([act] * PHONES)
    return sorted("done" if outcome.error is None else str(outcome) for outcome in outcomes)


def race() -> dict[str, Any]:
    person = Person.objects.create(name="Tam")
    who = Who.of(person)
    campaign = founding_services.found_campaign(who, key="a-war-of-phones", name="The War of the Phones")

    def do(act: str, **body: Any) -> dict[str, Any]:
        return campaign_services.write(campaign, who, key=new_key(), act=read_sent(act, body))

    for name in ("Oakhold", "Fenwick"):
        do("kingdom_joins", **joining(name, ruler=person.pk))
    do("agreed_change", vp={"k1": 5}, why="spoils")
    battle = do("battle_declared", attacker="k1", target="k2.border_1")["body"]["battle"]

    def fresh() -> Campaign:
        return Campaign.objects.select_related("log", "snapshot").get(pk=campaign.pk)

    def found() -> Muster:
        return musters_permissions.get_muster(Who.of(Person.objects.get(pk=person.pk)), Muster.objects.get().code)

    def seen() -> str:
        return musters_services.question_token(musters_services.load_muster_state(found().log_id).muster())

    def vp() -> int:
        return campaign_selectors.state_of(fresh()).kingdoms["k1"].vp

    found_out: dict[str, Any] = {"begin": at_once(lambda: musters_services.begin_muster(who, fresh(), battle, "k1"))}
    found_out["musters"] = Muster.objects.count()
    token = seen()
    found_out["step"] = at_once(
        lambda: musters_services.submit_answer(found(), who, key=new_key(), question=token, value=2)
    )
    found_out["answers"] = len(musters_services.load_muster_state(found().log_id).answers)
    paid = seen()
    found_out["pay"] = at_once(lambda: vp_payments.buy_reroll(found(), who, key=new_key(), question=paid, roll=9))
    found_out["vp"] = vp()
    found_out["thrown"] = list(musters_services.load_muster_state(found().log_id).muster().answers[-1].thrown)
    while (question := musters_services.load_muster_state(found().log_id).muster().question) is not None:
        musters_services.submit_answer(
            found(), who, key=new_key(), question=seen(), value=6 if question.die else question.default
        )
    found_out["take"] = at_once(lambda: vp_payments.finish_muster(found(), who, key=new_key()))
    found_out["lines"] = Entry.objects.filter(log=campaign.log_id, act="muster_taken").count()
    found_out["problems"] = campaign_selectors.find_problems(fresh())
    return found_out
