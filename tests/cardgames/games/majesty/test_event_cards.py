"""Your Majesty: every event, scandal, lingering and permanent card is played here."""

from __future__ import annotations

import pytest

from cardgames.games import house_deck
from cardgames.games.majesty import card_moves, deck_definition as named, table_state
from cardgames.games.majesty.deck_definition import cards_of_group, faces_of
from cardgames.games.majesty.event_cards import EVENTS
from cardgames.games.majesty.rules import acts
from tests.cardgames.games.majesty.arranged_courts import (
    ABOLITION,
    CANADA,
    FILLER,
    HAYDN,
    HUME,
    JAMAICA,
    JEFFERSON,
    KANT,
    LAW,
    MOZART,
    NEWTON,
    PERU,
    VIRGINIA,
    WATT,
    WOLLSTONECRAFT,
    Throne,
)

PLACE, OTHER_PLACE = "ev-a-place-at-court.3", "ev-a-place-at-court.5"


def play(card: str, *keys: str, **given) -> Throne:
    """The active player plays this event from a hand of one card."""
    hands = given.pop("hands", [])
    return Throne(given.pop("seats", 2), hands=[[card], *hands], **given).turn().choose(f"event:{card}", *keys)


def offered(card: str, **given) -> bool:
    hands = given.pop("hands", [])
    return f"event:{card}" in Throne(given.pop("seats", 2), hands=[[card], *hands], **given).turn().keys


@pytest.mark.parametrize("face", cards_of_group(house_deck("majesty"), "action"), ids=lambda face: face.id)
def test_every_action_card_of_the_house_deck_can_be_played(face):
    """Y16: whatever it is, it ends in the discards or stays at a court."""
    guests = (NEWTON, HAYDN, JEFFERSON, KANT)
    yard = Throne(
        3,
        hands=[[face.id, FILLER[0]], FILLER[1:3], ["ev-grand-tour.6"]],
        philosophes=[(WOLLSTONECRAFT,), guests, (MOZART,)],
        colonies=[[PERU], [JAMAICA], [CANADA]],
        scandals=[["sc-duel-of-officers"], (), ()],
        guests=[HUME, WATT, "ph-voltaire"],
        unclaimed=[VIRGINIA],
    ).turn()
    verb = "campaign" if face.kind == "campaign" else "event"
    yard.choose(f"{verb}:{face.id}")
    for _ in range(6):
        if yard.over or yard.kind == "act":
            break
        if hasattr(yard.ask, "asks"):
            yard.reply(*(next(iter(ask.options)) for ask in yard.ask.asks.values()))
        else:
            yard.choose(yard.keys[0])
    t = yard.table
    lying = [card.key for zone in (t.discard, *t.scandals, *t.lingering, *t.permanent, *t.hands) for card in zone.cards]
    assert face.id in lying
    assert not t.at_work.cards
    assert face.kind in ("campaign", "scandal") or face.row in EVENTS


def test_every_philosophe_and_colony_of_the_house_deck_joins_a_court():
    """Y40, Y42, Y70, Y72: with what is printed on it."""
    deck = house_deck("majesty")
    for face in cards_of_group(deck, "philosophe"):
        yard = Throne(hands=[FILLER[:1]], guests=[face.id]).turn().choose("philosophe", f"pay:{FILLER[0]}")
        assert (yard.pile("philosophes", 0), yard.prestige()) == ([face.id], face.prestige)
    for face in cards_of_group(deck, "colony"):
        yard = Throne(hands=[FILLER[:1]], unclaimed=[face.id]).turn().choose("colony", f"pay:{FILLER[0]}", face.id)
        assert (yard.wealth(), yard.prestige()) == (face.coins, -face.is_slave)


def test_every_reform_of_the_house_deck_is_implemented_in_a_salon():
    """Y50, Y62, Y71"""
    deck = house_deck("majesty")
    for reform in cards_of_group(deck, "reform"):
        court = [face.id for face in cards_of_group(deck, "philosophe") if face.muse == reform.muse][:4]
        # The other court has the levels below, which is half of the table.
        below = [face.id for face in cards_of_group(deck, "reform") if face.level < reform.level][:6]
        yard = Throne(
            hands=[FILLER[2:3]],
            philosophes=[court],
            colonies=[[PERU, "co-new-spain"]],
            reforms=[(), below],
            open_reforms=[reform.id],
            deck=["ca-marlborough"],
            discard=[FILLER[3]],
        ).turn()
        yard.choose("salon", f"pay:{FILLER[2]}", reform.id, "hold")
        assert yard.pile("reforms", 0) == [reform.id]
        (told,) = yard.events("salon-won")
        assert (told["sophia"], told["difficulty"]) == (8, reform.level + 1)


def test_despot_raises_the_limit_once():
    """YR-15, YE-11"""
    yard = play("ev-enlightened-despot.1", hands=[FILLER[:4]])
    assert table_state.hand_limit(yard.table, 0) == 5
    assert yard.pile("permanent", 0) == ["ev-enlightened-despot.1"]
    assert not offered("ev-enlightened-despot.4", permanent=[["ev-enlightened-despot.1"]])
    spy = Throne(hands=[["ev-espionage.6", FILLER[0], FILLER[1]], FILLER[2:]], permanent=[["ev-enlightened-despot.1"]])
    spy.turn().choose("event:ev-espionage.6", "seat-1", "slot-1", "slot-2", "slot-3")
    assert len(spy.pile("hands", 0)) == 5


def test_espionage_takes_as_many_as_there_is_room_for():
    """Y12, YE-10"""
    spy = Throne(hands=[["ev-espionage.6", *FILLER[:2]], FILLER[2:]]).turn()
    spy.choose("event:ev-espionage.6", "seat-1", "slot-1", "slot-3")
    # Two in hand leave room for two.
    assert len(spy.pile("hands", 0)) == 4
    assert spy.pile("hands", 1) == [FILLER[3]]
    none = Throne(hands=[["ev-espionage.6"], FILLER[:2]]).turn().choose("event:ev-espionage.6", "seat-1", "enough")
    assert none.events("stole") == [{"seat": 0, "of": 1, "n": 0}]
    assert not offered("ev-espionage.6")


def test_mistress_erases_everything_and_needs_a_scandal():
    """Y28, YR-4"""
    yard = play("ev-new-royal-mistress.2", scandals=[["sc-duel-of-officers", "sc-gaming-debts"]])
    assert yard.pile("scandals", 0) == []
    assert not offered("ev-new-royal-mistress.2")
    empty = play("ev-new-royal-mistress.2", allow_empty_plays=True)
    assert empty.event_keys() == ["played", "no-effect"]


def test_place_at_court_moves_a_philosophe():
    """Y43"""
    yard = play(PLACE, KANT, philosophes=[(), (KANT, HUME)], hands=[[FILLER[0]]])
    yard.react()
    assert yard.pile("philosophes", 0) == [KANT]
    assert yard.pile("discard") == [PLACE]


def test_place_at_court_is_cancelled_by_its_copy():
    """YR-18, YE-13: an answer is not an action of the turn."""
    yard = play(PLACE, KANT, philosophes=[(), (KANT,)], hands=[[OTHER_PLACE]])
    assert list(yard.ask.asks[1].options) == [OTHER_PLACE, "pass"]
    yard.react(OTHER_PLACE)
    assert yard.pile("philosophes", 1) == [KANT]
    assert sorted(yard.pile("discard")) == sorted([PLACE, OTHER_PLACE])
    assert yard.table.taken == ["event"]
    assert not [key for key in yard.keys if key.startswith("event")]


def test_death_and_resignation():
    """YR-11"""
    dead = play("ev-consumption", KANT, philosophes=[(), (KANT,)])
    assert dead.pile("removed") == [KANT]
    gone = play("ev-wounded-vanity.5", "seat-1", philosophes=[(), (KANT, HUME)]).choose(HUME)
    assert gone.pile("resigned") == [HUME]


def test_smallpox_strikes_all_crowded_courts_at_once():
    four = (KANT, HUME, NEWTON, WATT)
    yard = play(
        "ev-smallpox-at-court.6",
        seats=3,
        philosophes=[(JEFFERSON, HAYDN, MOZART, WOLLSTONECRAFT), four, ()],
    )
    yard.reply(HAYDN, NEWTON)
    assert yard.pile("removed") == [HAYDN, NEWTON]
    assert not offered("ev-smallpox-at-court.6", philosophes=[(), four], reforms=[(), ("re-inoculation",)])


def test_letters_keep_one_and_order_the_rest():
    yard = play("ev-letters-of-introduction.4", "slot-2", "slot-1", guests=[KANT, HUME, WATT, HAYDN])
    assert yard.pile("philosophes", 0) == [HUME]
    # Haydn is on top now; Watt lies above Kant at the bottom.
    assert yard.pile("salon_deck") == [KANT, WATT, HAYDN]


def test_charter_rising_and_treaty():
    """YR-28"""
    assert play("ev-royal-charter.5", PERU, unclaimed=[PERU]).pile("colonies", 0) == [PERU]
    assert play("ev-slave-rising.4", JAMAICA, colonies=[(), [JAMAICA]]).pile("unclaimed") == [JAMAICA]
    # Canada has one coin, so Virginia with two can be had for it, Peru with three cannot.
    yard = play("ev-treaty-of-exchange.3", CANADA, colonies=[[CANADA], [VIRGINIA, PERU]])
    assert yard.keys == [VIRGINIA]
    yard.choose(VIRGINIA)
    assert (yard.pile("colonies", 0), yard.pile("colonies", 1)) == ([VIRGINIA], [PERU, CANADA])


def test_intrigue_discards_two_blindly():
    yard = play("ev-court-intrigue.2", "seat-1", hands=[FILLER[:3]], rolls=[3, 1])
    assert yard.pile("hands", 1) == [FILLER[1]]


def test_never_playable_whatever_was_agreed():
    """YR-33"""
    agreed = {"allow_empty_plays": True}
    assert not offered("ev-slave-rising.4", colonies=[(), [JAMAICA]], reforms=[(ABOLITION,)], **agreed)
    assert not offered("ev-enlightened-despot.1", permanent=[["ev-enlightened-despot.4"]], **agreed)
    assert play("ev-censors-edict.5").keys == ["politics"]
    peace = play("ev-peace-congress.6", colonies=[(), [PERU]])
    peace.put(peace.table.hands[0], [FILLER[0]])
    assert not [key for key in acts(peace.table, 0) if key.startswith("campaign")]


def test_peace_congress_forbids_campaigns_until_its_players_turn():
    """YE-21, Y27"""
    yard = play("ev-peace-congress.6", colonies=[[PERU], [CANADA]], hands=[FILLER[:1]])
    yard.choose("end")
    yard.turn(1)
    assert not [key for key in yard.keys if key.startswith("campaign")]
    yard.choose("end")
    yard.turn(0)
    assert yard.pile("discard") == ["ev-peace-congress.6"]
    assert yard.table.marks == []


def test_lingering_card_returns_with_the_next_reshuffle():
    """YR-17, YE-14"""
    yard = play("ev-grand-tour.6", philosophes=[(KANT,)])
    assert table_state.tours(yard.table, 0) == 1
    yard.choose("end")
    yard.turn(0)
    assert yard.pile("discard") == ["ev-grand-tour.6"]
    assert not yard.table.is_idle
    card_moves.rebuild(yard.table)
    assert "ev-grand-tour.6" in yard.pile("deck")


def test_boom_hurricane_and_censor_linger():
    boom = play("ev-sugar-boom.2", colonies=[[CANADA]])
    assert boom.wealth() == 3
    storm = play("ev-atlantic-hurricane.2", PERU, CANADA, colonies=[(), [PERU, CANADA, VIRGINIA]])
    assert storm.wealth(1) == 2
    ban = play("ev-censors-edict.5", "politics", philosophes=[(KANT, HUME)], colonies=[[PERU]])
    ban.put(ban.table.hands[0], [FILLER[0]])
    ban.choose("end")
    ban.turn(1).choose("end")
    assert table_state.named_by(ban.table.marks, named.CENSOR) == {"politics"}


def test_scandal_is_laid_on_an_opponent_or_on_the_own_court():
    """Y26, YE-16"""
    assert play("sc-duel-of-officers", "seat-1").pile("scandals", 1) == ["sc-duel-of-officers"]
    own = play("sc-morganatic-marriage", guests=[KANT])
    assert own.pile("scandals", 0) == ["sc-morganatic-marriage"]
    assert own.pile("philosophes", 0) == [KANT]


def test_marriage_is_never_passed_on():
    """YR-29"""
    assert not offered("ev-turn-the-tables.3", scandals=[["sc-morganatic-marriage"]])
    alone = play("sc-morganatic-marriage")
    assert alone.event_keys() == ["played", "married"]
    yard = play("ev-turn-the-tables.3", "sc-duel-of-officers", "seat-1", scandals=[["sc-duel-of-officers"]])
    assert yard.pile("scandals", 1) == ["sc-duel-of-officers"]


def test_gaming_debts_spare_the_rich():
    """YR-27"""
    rich = [(), [PERU, "co-new-spain"]]
    assert not offered("sc-gaming-debts", colonies=rich)
    edge = play("sc-gaming-debts", "seat-1", colonies=rich, gaming_debts_edge=True)
    assert edge.pile("scandals", 1) == ["sc-gaming-debts"]
    paid = play(
        "ev-royal-charter.5", PERU, unclaimed=[PERU], colonies=[["co-new-spain"]], scandals=[["sc-gaming-debts"]]
    )
    assert paid.pile("scandals", 0) == []


@pytest.mark.parametrize(("scandal", "guest"), [("sc-the-alchemists-swindle", NEWTON), ("sc-backstage-affair", HAYDN)])
def test_philosophe_of_a_muse_erases_a_scandal(scandal, guest):
    """YR-21"""
    yard = Throne(hands=[FILLER[:1]], scandals=[[scandal], [scandal]], guests=[guest]).turn()
    yard.choose("philosophe", f"pay:{FILLER[0]}")
    assert yard.pile("scandals", 0) == []
    assert yard.pile("scandals", 1) == [scandal]


def test_colony_and_campaign_erase_scandals():
    necklace = play("ev-royal-charter.5", PERU, unclaimed=[PERU], scandals=[["sc-the-missing-necklace"]])
    assert necklace.pile("scandals", 0) == []
    duel = Throne(hands=[FILLER[:1]], colonies=[(), [CANADA]], scandals=[["sc-duel-of-officers"]]).turn()
    duel.choose(f"campaign:{FILLER[0]}", CANADA)
    duel.react()
    assert duel.pile("scandals", 0) == []


@pytest.mark.parametrize(
    ("scandal", "reform"),
    [
        ("sc-rinaldo-et-armida", "re-freedom-of-expression"),
        ("sc-heretical-sermon", "re-religious-tolerance"),
        ("sc-morganatic-marriage", LAW),
        ("sc-anonymous-pamphlet.4", "re-inoculation"),
    ],
)
def test_reform_erases_its_scandal(scandal, reform):
    """YE-15"""
    court = ("ph-voltaire", "ph-canaletto", KANT, NEWTON, HUME, WATT, "ph-denis-diderot", "ph-william-hogarth")
    yard = Throne(
        hands=[FILLER[:2]],
        philosophes=[court],
        colonies=[[PERU, "co-new-spain", JAMAICA]],
        reforms=[("re-subscription-concerts",)],
        scandals=[[scandal]],
        open_reforms=[reform],
        deck=["ca-marlborough"],
        discard=[FILLER[3]],
    ).turn()
    yard.choose("salon", f"pay:{FILLER[0]}", reform, "hold")
    assert yard.pile("reforms", 0) == ["re-subscription-concerts", reform]
    assert yard.pile("scandals", 0) == []
    assert scandal in yard.pile("discard")


def test_every_face_has_code_or_a_kind():
    kinds = {face.kind for face in faces_of(house_deck("majesty"))}
    assert kinds == {
        *("reform", "philosophe", "colony", "event", "permanent", "lingering", "scandal", "campaign", "reshuffle")
    }
