"""Founding a campaign: the wizard, and entering a war already in progress."""

from __future__ import annotations

import datetime as dt
import re

import pytest

from campaign import selectors as campaign_selectors, services as campaign_services
from campaign.chronicle.acts.starting_position import explain_impossible_map
from campaign.chronicle.codec import read_sent
from campaign.chronicle.entries_and_fold import effective_entries
from campaign.chronicle.seasons.cut_into_seasons import split_seasons
from campaign.founding import services as founding_services
from campaign.founding.forms import STEPS
from campaign.models import Campaign
from people.requester import Who
from refusal import Refusal
from rulebook.data.house_rules import OPTIONS, Options
from tests.campaign.chronicle.sample_wars import War, joining

FOUND = "/campaigns/found/"


def hidden(answer) -> dict[str, str]:
    """The hidden fields of a page."""
    matches = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', answer.content.decode())
    return {name: value for name, value in matches if name != "csrfmiddlewaretoken"}


class TestWizard:
    def test_founding_by_the_book_takes_one_page_and_one_tap(self, master):
        answer = master.client.post(FOUND, {"key": "found-by-the-book", "name": "The Reed War", "kingdoms": "4"})
        campaign = Campaign.objects.get()
        assert answer.url == f"/campaigns/{campaign.code}/join/4/"
        assert campaign.log.length == 1, "by the book there is nothing to write"

    def test_every_question_is_asked_once_and_answers_carry_over(self, master):
        answer = master.client.get(FOUND)
        given = [
            {"name": "The Reed War", "kingdoms": "3", "begins": "war"},
            {"o-initiative": "each_round", "o-barbarian": "double", "house_rules": "No cats on Thursdays."},
            {"dice": "sealed", "confirm": "both", "correct": "touched"},
            {"visibility": "public"},
        ]
        for number, fields in enumerate(given):
            kept = hidden(answer) | {"key": "the-wizards-key"}
            last = number + 1 == len(STEPS)
            answer = master.client.post(FOUND, kept | fields | {"step": number, "go": "found" if last else "next"})
        campaign = Campaign.objects.get()
        assert answer.url == f"/campaigns/{campaign.code}/join/3/?war"
        state = campaign_selectors.state_of(campaign)
        assert (campaign.name, campaign.visibility) == ("The Reed War", "public")
        assert state.options == {"initiative": "each_round", "barbarian": "double"}
        agreed = {"dice": "sealed", "confirm": "both", "correct": "touched", "house_rules": "No cats on Thursdays."}
        assert state.terms == agreed

    def test_all_rulebook_options_are_listed_with_five_of_them_first(self):
        names = [name for step in STEPS for name in (*step.fields, *step.more)]
        assert {f"o-{row.key}" for row in OPTIONS} <= set(names)
        assert len(names) == len(set(names))
        assert sum(name.startswith("o-") for name in STEPS[1].fields) == 5

    def test_back_keeps_input_and_shows_no_errors(self, master):
        sent = {"key": "the-wizards-key", "name": "The Reed War", "kingdoms": "3", "o-loyalty_cap": "many", "step": 1}
        answer = master.client.post(FOUND, sent | {"go": "back"})
        page = answer.content.decode()
        assert answer.status_code == 200
        assert 'value="The Reed War"' in page
        assert "step 1 of 4" in page

    def test_error_is_shown_on_its_own_step(self, master):
        answer = master.client.post(FOUND, {"key": "the-wizards-key", "name": "", "step": 0, "go": "next"})
        assert answer.status_code == 422
        assert "step 1 of 4" in answer.content.decode()
        sent = {"key": "the-wizards-key", "name": "The Reed War", "kingdoms": "2", "o-loyalty_cap": "99", "step": 3}
        answer = master.client.post(FOUND, sent)
        assert "step 2 of 4" in answer.content.decode()
        assert not Campaign.objects.exists()

    def test_second_tap_does_not_found_a_second_campaign(self, master):
        sent = {"key": "tapped-twice-here", "name": "The Reed War", "kingdoms": "2", "dice": "service"}
        one, other = (master.client.post(FOUND, sent).url for _ in range(2))
        assert one == other
        assert Campaign.objects.get().log.length == 2


class TestImpossibleMaps:
    """MAP-01, MAP-08, MAP-09, R-71, R-72."""

    @pytest.mark.parametrize(
        ("holders", "sentence"),
        [
            ({"k2.lands": "k1"}, "fall only after both borderlands"),
            ({"k2.lands": "k1", "k2.border_1": "k1"}, "fall only after both borderlands"),
            ({"k2.lands": "k1", "k2.border_1": "k3", "k2.border_2": "k3"}, "no borderland of Fenwick"),
            ({"k2.castle": "k1"}, "A King without a castle is out"),
            (
                {"k2.castle": "k1", "k2.lands": "k3", "k2.border_1": "k3", "k2.border_2": "k3"},
                "Only the holder of the lands",
            ),
            ({"k2.castle": "k1", "k2.lands": "k1", "k2.border_1": "k1", "k2.border_2": "k1"}, "that wins the war"),
        ],
    )
    def test_each_one_has_its_message(self, holders, sentence):
        war = War(3)
        with pytest.raises(Refusal, match=sentence):
            war.do("standing", {"holders": holders})

    def test_every_map_reached_by_play_is_possible(self):
        """Legal results in many random orders: no map reached is called impossible."""
        from chance import Dice
        from rulebook.campaign import attack_targets, conquest
        from rulebook.campaign.campaign_map import CampaignMap

        names = ("k1", "k2", "k3", "k4")
        state, dice, options = War(4).state, Dice("maps"), Options(kingdoms_to_hold=4)
        for _ in range(30):
            campaign_map = CampaignMap.start(names)
            for _ in range(25):
                living = [
                    name for name in campaign_map.living if attack_targets.can_attack(campaign_map, name, options)
                ]
                attacker = dice.choice(living)
                target = dice.choice(attack_targets.list_legal_targets(campaign_map, attacker, options))
                after = conquest.battle_consequences(
                    campaign_map, attacker, target.territory, "attacker", options, loyalty=dict.fromkeys(names, 0)
                )
                campaign_map = conquest.apply_effects(campaign_map, after.effects)
                if sum(campaign_map.holder(f"{name}.castle") == attacker for name in names) >= 3:
                    break
                assert explain_impossible_map(state, campaign_map, options) == ""


@pytest.fixture
def campaign(master):
    who = Who.of(master)
    result = founding_services.found_campaign(who, key="one-campaign", name="The Reed War")
    for name in ("Oakhold", "Fenwick"):
        campaign_services.write(
            result, who, key=f"joins-{name}", act=read_sent("kingdom_joins", joining(name, ruler=master.pk))
        )
    return result


class TestWarInProgress:
    def typed(self, **more) -> dict:
        sent = {"key": "the-standing-key", "season": "4", "season_name": "Frost"}
        for key in ("k1", "k2"):
            sent |= {f"{key}-loyalty": "0", f"{key}-vp": "0"}
            sent |= {f"hold-{key}.{place}": key for place in ("castle", "lands", "border_1", "border_2")}
        return sent | {"k1-loyalty": "2", "k1-vp": "7", "k2-lost": ["1", "3"], "hold-k2.border_1": "k1"} | more

    def test_map_is_previewed_and_written_as_one_entry(self, campaign, master):
        url = f"{campaign.get_absolute_url()}standing/"
        look = master.client.post(url, self.typed())
        assert look.status_code == 200
        assert campaign_selectors.state_of(campaign).kingdoms["k1"].vp == 0
        assert "Season 4, Frost" in look.content.decode()
        done = master.client.post(url, self.typed(confirm="1", seen=look.context["seen"]))
        assert "#entry-4" in done.url
        state = campaign_selectors.state_of(Campaign.objects.get())
        oakhold, fenwick = state.kingdoms["k1"], state.kingdoms["k2"]
        assert (oakhold.loyalty, oakhold.vp, fenwick.lost_houses()) == (2, 7, (1, 3))
        assert (state.holders["k2.border_1"], state.season, state.season_name, state.season_open) == (
            "k1",
            4,
            "Frost",
            True,
        )
        assert campaign_selectors.find_problems(Campaign.objects.get()) == []
        assert master.client.get(f"{campaign.get_absolute_url()}seasons/4/").status_code == 200

    def test_changes_after_the_preview_are_previewed_again(self, campaign, master):
        url = f"{campaign.get_absolute_url()}standing/"
        look = master.client.post(url, self.typed())
        again = master.client.post(url, self.typed(confirm="1", seen=look.context["seen"], **{"k1-vp": "9"}))
        assert again.status_code == 200
        assert campaign_selectors.state_of(Campaign.objects.get()).kingdoms["k1"].vp == 0

    def test_impossible_map_is_refused_and_nothing_is_written(self, campaign, master):
        answer = master.client.post(f"{campaign.get_absolute_url()}standing/", self.typed(**{"hold-k1.lands": "k2"}))
        assert answer.status_code == 422
        assert "fall only after both borderlands" in answer.content.decode()

    def test_map_can_be_entered_again_until_the_first_battle(self, campaign, master):
        who = Who.of(master)
        body = {"kingdoms": {"k1": {"loyalty": 2, "vp": 7, "lost": [1]}}}
        campaign_services.write(campaign, who, key="standing-one", act=read_sent("standing", body))
        body = {"kingdoms": {"k1": {"loyalty": 1, "vp": 5, "lost": []}}}
        campaign_services.write(campaign, who, key="standing-two", act=read_sent("standing", body))
        kingdom = campaign_selectors.state_of(Campaign.objects.get()).kingdoms["k1"]
        assert (kingdom.loyalty, kingdom.vp, kingdom.lost_houses()) == (1, 5, ())
        battle = {"attacker": "k1", "target": "k2.border_1", "outcome": "draw"}
        campaign_services.write(campaign, who, key="first-battle", act=read_sent("result", battle))
        with pytest.raises(Refusal, match="Enter differences as an agreed change"):
            campaign_services.write(campaign, who, key="standing-three", act=read_sent("standing", body))
        assert master.client.get(f"{campaign.get_absolute_url()}standing/").status_code == 409

    def test_next_season_continues_the_numbering(self, campaign, master):
        who = Who.of(master)
        season = {"number": 4, "name": "Frost"}
        campaign_services.write(campaign, who, key="standing-one", act=read_sent("standing", {"season": season}))
        campaign_services.write(campaign, who, key="season-closes", act=read_sent("season_closed", {}))
        campaign_services.write(campaign, who, key="season-opens", act=read_sent("season_opened", {"name": "Thaw"}))
        assert campaign_selectors.state_of(Campaign.objects.get()).season == 5


class TestFirstSeason:
    """A battle always belongs to a season."""

    def test_founding_opens_season_1_with_the_name_asked_for(self, master):
        page = master.client.get("/campaigns/found/").content.decode()
        assert "Name of the first season" in page
        data = {"key": "found-it-now", "name": "The Reed War", "season": "Thaw", "kingdoms": 2, "go": "found"}
        assert master.client.post("/campaigns/found/", data).status_code == 302
        state = campaign_selectors.state_of(Campaign.objects.get())
        assert (state.season, state.season_name, state.season_open) == (1, "Thaw", True)

    def test_without_a_name_the_time_of_the_year_is_its_name(self, master):
        who = Who.of(master)
        founding_services.found_campaign(who, key="one-campaign", name="A War", began=dt.date(2026, 4, 2))
        assert campaign_selectors.state_of(Campaign.objects.get()).season_name == "Spring 2026"

    @pytest.mark.parametrize("act", ["battle_declared", "result"])
    def test_battle_between_two_seasons_opens_the_next_one(self, act, campaign, master):
        who = Who.of(master)
        body = {"attacker": "k1", "target": "k2.border_1"} | ({"outcome": "attacker"} if act == "result" else {})
        campaign_services.write(campaign, who, key="season-closes", act=read_sent("season_closed", {}))
        done = campaign_services.write(campaign, who, key="a-battle-now", act=read_sent(act, body))
        fresh = Campaign.objects.select_related("log").get()
        state = campaign_selectors.state_of(fresh)
        assert (state.season, state.season_open, done["body"]["battle"]) == (2, True, 1)
        seasons = split_seasons(effective_entries(campaign_selectors.entries_of(fresh)))
        assert done["entry"] in [entry.number for entry in seasons[-1].entries]
        assert campaign_selectors.find_problems(fresh) == []

    def test_late_entry_between_two_seasons_is_refused_or_opens_the_next_one(self, master):
        who = Who.of(master)
        day = dt.date(2026, 3, 1)
        war = founding_services.found_campaign(who, key="one-campaign", name="A War", began=day)

        def write(key, act, body, played_on):
            return campaign_services.write(war, who, key=key, act=read_sent(act, body), played_on=played_on)

        for number, name in enumerate(("Oakhold", "Fenwick"), 1):
            write(f"join-number-{number}", "kingdom_joins", joining(name), day)
        write("season-closes", "season_closed", {}, dt.date(2026, 4, 1))
        fought = {"attacker": "k1", "target": "k2.border_1", "outcome": "attacker"}
        write("a-later-note", "note", {"text": "still winter"}, dt.date(2026, 6, 1))
        # No later season yet: the battle opens it on its own day, before the newest entry.
        done = write("late-in-the-gap", "result", fought, dt.date(2026, 5, 1))
        fresh = Campaign.objects.select_related("log").get()
        seasons = split_seasons(effective_entries(campaign_selectors.entries_of(fresh)))
        assert [len(season.battles()) for season in seasons] == [0, 1]
        assert done["entry"] in [entry.number for entry in seasons[1].entries]
        # Between two seasons that exist it could belong to neither.
        with pytest.raises(Refusal, match="No season was open on 10 April 2026: season 1 was closed") as caught:
            write("in-the-gap-itself", "result", fought | {"target": "k2.border_2"}, dt.date(2026, 4, 10))
        assert caught.value.field == "played_on"
        assert campaign_selectors.find_problems(fresh) == []
