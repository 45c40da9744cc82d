"""Maps for the tests of kingdoms, targets and conquest: small ones made by hand, and random ones."""

from __future__ import annotations

from hypothesis import strategies as st

from rulebook.campaign.attack_targets import can_attack, list_legal_targets
from rulebook.campaign.conquest import battle_consequences
from rulebook.campaign.territories import Realm
from rulebook.data.house_rules import Options

TWO = Realm.start(["oak", "fen"])
THREE = Realm.start(["oak", "fen", "moor"])
ONGOING = Options(kingdoms_to_hold=100)
RIVALS = Options(third_party_attacks=True)


def held(realm: Realm, **taken: str) -> Realm:
    """``fen_border_1="oak"``: a map with these territories in other hands."""
    for key, who in taken.items():
        kingdom, _, place = key.partition("_")
        realm = realm.with_holder(f"{kingdom}.{place}", who)
    return realm


@st.composite
def any_map(draw: st.DrawFn) -> Realm:
    """Random holders: maps that no battle leads to must work too."""
    names = [f"k{i}" for i in range(draw(st.integers(2, 5)))]
    who = st.sampled_from(names)
    return Realm(tuple(names), tuple(tuple(draw(who) for _ in range(4)) for _ in names))  # type: ignore[misc]


@st.composite
def played_map(draw: st.DrawFn) -> Realm:
    """A map after some battles, each for a legal target."""
    realm = Realm.start(f"k{i}" for i in range(draw(st.integers(2, 5))))
    options = draw(st.sampled_from([ONGOING, Options(kingdoms_to_hold=100, third_party_attacks=True)]))
    for _ in range(draw(st.integers(0, 25))):
        able = [king for king in realm.living if can_attack(realm, king, options)]
        if not able:
            break
        attacker = draw(st.sampled_from(able))
        chosen = draw(st.sampled_from(list_legal_targets(realm, attacker, options)))
        realm = battle_consequences(realm, attacker, chosen.territory, "attacker", options).realm
    return realm
