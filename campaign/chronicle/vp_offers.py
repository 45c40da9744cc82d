"""What a kingdom can buy with its VP now, and why not the rest."""

from __future__ import annotations

from dataclasses import dataclass

from campaign.chronicle.acts.war import SpendVp
from campaign.chronicle.state import Kingdom, State
from refusal import Refusal
from rulebook.campaign.vp_spending import PRICES, Price


@dataclass(frozen=True, slots=True)
class VpPurchase:
    price: Price
    house: int | None
    title: str
    refusal: str  # empty where it can be bought

    @property
    def body(self) -> dict[str, object]:
        return {"what": self.price.key} | ({"house": self.house} if self.house else {})


def list_purchases(state: State, realm: Kingdom) -> tuple[VpPurchase, ...]:
    found = []
    for price in PRICES:
        if price.key == "regain":
            lost = realm.lost_houses()
            offers: list[tuple[int | None, str]] = [(n, f"Win back {realm.houses[n - 1].name}") for n in lost]
            offers = offers or [(1, price.name)]
        else:
            offers = [(None, price.name)]
        for house, title in offers:
            found.append(VpPurchase(price, house, title, _find_refusal(state, realm, price.key, house)))
    return tuple(found)


def _find_refusal(state: State, realm: Kingdom, what: str, house: int | None) -> str:
    try:
        SpendVp(realm.id, what, house).decide(state, state.rules())
    except Refusal as refusal:
        if what == "regain" and not realm.lost_houses():
            return "Every house is loyal: there is nothing to win back."
        return refusal.sentence
    return ""
