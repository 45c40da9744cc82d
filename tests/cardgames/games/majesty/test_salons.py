"""Your Majesty: hosting a salon, from the invitation to the card."""

from __future__ import annotations

from cardgames.games.majesty import table_state
from tests.cardgames.games.majesty.arranged_courts import (
    ABOLITION,
    CANADA,
    FILLER,
    HAYDN,
    JEFFERSON,
    KANT,
    LAW,
    MERIT,
    NEWTON,
    PERU,
    WATT,
    WOLLSTONECRAFT,
    Throne,
)

LOW, HIGH = "ca-marlborough", "ca-comte-de-grasse"


def hall(**given) -> Throne:
    """Wren has Wollstonecraft and Watt and three chairs, Tam and Oda one philosophe each."""
    base = {
        "hands": [FILLER[2:4]],
        "philosophes": [(WOLLSTONECRAFT, WATT), (JEFFERSON,), (HAYDN, KANT)],
        "colonies": [[PERU]],
        "deck": [LOW, HIGH],
        "discard": [FILLER[4]],
    }
    return Throne(3, **{**base, **given}).turn()


PAY = f"pay:{FILLER[2]}"


def test_salon_with_guests_succeeds():
    """Y50, Y57, Y64, YI-7"""
    yard = hall().choose("salon", PAY, LAW, f"ask:{JEFFERSON}", "send")
    yard.reply("lend")
    assert yard.table.attending == [WOLLSTONECRAFT, JEFFERSON, WATT]
    yard.choose("hold")
    assert yard.pile("reforms", 0) == [LAW]
    assert yard.pile("philosophes", 1) == [JEFFERSON]
    assert yard.pile("discard")[-1] == LOW
    (told,) = yard.events("salon-won")
    assert (told["sophia"], told["difficulty"]) == (5, 2)


def test_only_reforms_of_an_own_muse_are_offered():
    """Y52, YE-22"""
    yard = hall(open_reforms=[LAW, "re-inoculation", "re-subscription-concerts"]).choose("salon", PAY)
    assert yard.keys == [LAW, "re-inoculation"]
    # Without its politics philosophe the court has no politics reform to attempt.
    assert "salon" not in hall(philosophes=[(WATT, NEWTON), (JEFFERSON,)]).keys


def test_wealth_limits_those_who_attend_guests_included():
    """Y55, YE-2"""
    yard = hall(colonies=[["co-virginia"]]).choose("salon", PAY, LAW, f"ask:{JEFFERSON}", f"ask:{KANT}")
    yard.reply("lend", "lend")
    # Two chairs: the two of the muse, own one first.
    assert yard.table.attending == [WOLLSTONECRAFT, JEFFERSON]
    # Anybody may be left out, and another takes the chair.
    yard.choose(f"out:{JEFFERSON}")
    assert yard.table.attending == [WOLLSTONECRAFT, KANT]


def test_fewer_than_two_means_no_salon_and_the_cost_is_lost():
    """Y56, YR-6, YE-4"""
    yard = hall(philosophes=[(WOLLSTONECRAFT,), (JEFFERSON,), ()])
    yard.choose("salon", PAY, LAW, f"ask:{JEFFERSON}")
    yard.reply("refuse")
    assert yard.event_keys()[-2:] == ["refused", "salon-off"]
    assert yard.pile("deck") == [HIGH, LOW]
    assert yard.pile("hands", 0) == [FILLER[3]]
    assert yard.table.taken == ["salon"]


def test_owner_may_lend_offer_another_or_refuse():
    """Y58, YR-8"""
    yard = hall().choose("salon", PAY, LAW, f"ask:{HAYDN}", "send")
    assert list(yard.ask.asks[2].options) == ["lend", f"offer:{KANT}", "refuse"]
    yard.reply(f"offer:{KANT}")
    assert yard.table.replies == [(2, KANT)]


def test_paid_card_can_always_be_drawn():
    """YR-26, YE-9: the last card of the deck is drawn for the salon and is not part of the new deck."""
    yard = hall(deck=[LOW], discard=[]).choose("salon", PAY, LAW, "send", "hold")
    assert yard.pile("reforms", 0) == [LAW]
    assert yard.pile("discard") == [LOW]
    assert yard.pile("deck") == [FILLER[2]]


def test_reshuffle_in_a_salon_draws_again():
    """YR-23"""
    yard = hall(deck=[LOW], rolls=[3])
    yard.shuffle_in(0)
    yard.choose("salon", PAY, LAW, "send", "hold")
    keys = yard.event_keys()
    assert keys.index("reshuffle") < max(keys.index(key) for key in keys if key.startswith("salon-"))


def test_asking_first_costs_nothing_if_called_off():
    """YR-25"""
    yard = hall(negotiate_first=True).choose("salon", LAW, "send", "withdraw")
    assert yard.pile("hands", 0) == list(FILLER[2:4])
    assert yard.table.taken == ["salon"]
    paid = hall(negotiate_first=True).choose("salon", LAW, "send", "hold", PAY)
    assert paid.pile("reforms", 0) == [LAW]


def test_muse_need_not_attend_unless_agreed():
    """YR-5"""
    assert f"out:{WOLLSTONECRAFT}" in hall().choose("salon", PAY, LAW, f"ask:{KANT}", "send").reply("lend").keys
    strict = hall(muse_must_attend=True).choose("salon", PAY, LAW, f"ask:{KANT}", "send").reply("lend")
    assert f"out:{WOLLSTONECRAFT}" not in strict.keys


def test_no_reform_left_means_no_salon():
    """YE-20"""
    assert "salon" not in hall(open_reforms=[]).keys
    # Level 5 alone is not open to a court without level 3.
    assert "salon" not in hall(open_reforms=[ABOLITION]).keys
    assert hall(reforms=[(LAW,)], open_reforms=[MERIT, ABOLITION]).choose("salon", PAY).keys == [MERIT]


def test_hurricane_lowers_the_chairs_before_the_salon():
    """YE-18"""
    yard = hall(colonies=[[PERU, CANADA]])
    yard.table.marks.append(table_state.Mark(1, "ev-atlantic-hurricane", (PERU,)))
    assert yard.wealth() == 1
    assert "salon" not in yard.turn().keys


def test_scandal_turns_success_into_failure():
    yard = hall(scandals=[("sc-anonymous-pamphlet.4",) * 2], deck=[LOW], discard=[FILLER[4], LOW])
    yard.choose("salon", PAY, LAW, "send", "hold")
    (told,) = yard.events("salon-failed")
    assert (told["sophia"], told["difficulty"]) == (3, 4)
