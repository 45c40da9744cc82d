"""Found a campaign, and record what the players agreed on at its start."""

import datetime as dt
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Annotated

from django.db import IntegrityError, transaction

from campaign import selectors, services
from campaign.chronicle import codec
from campaign.chronicle.acts.administration import ChangeHouseRules, FoundCampaign, OptionValue
from campaign.chronicle.fields import MAX_NAME
from campaign.chronicle.seasons.cut_into_seasons import suggest_season_name
from campaign.chronicle.state import TERMS, State
from campaign.models import Campaign, Member
from dataclass_json import Ask, Clean, Text
from log import services as log_services
from people.name_validation import MAX_STORED, clean_name
from people.requester import Who


@dataclass(frozen=True)
class StartCampaign:
    api_name = "FoundCampaign"

    name: Annotated[
        str,
        Text("The name of the campaign", MAX_STORED),
        Clean(partial(clean_name, what="name of the campaign")),
        Ask("Name of the campaign", "You can change it later."),
    ]
    visibility: Campaign.Visibility = Campaign.Visibility.MEMBERS
    season: Annotated[
        str,
        Text("The name of the season", MAX_NAME, empty=True),
        Ask("Name of the first season", "A season groups the battles of a few months."),
    ] = ""


def found_campaign(
    who: Who,
    *,
    key: str,
    name: str,
    visibility: str = Campaign.Visibility.MEMBERS,
    began: dt.date | None = None,
    season: str = "",
) -> Campaign:
    """Found a campaign, become its game master and open season 1; once per key.

    ``began``: its first day, if not today.
    """
    person = who.require_person()
    name = clean_name(name, "name of the campaign")
    log_services.check_key(key)
    founding_key = f"{who.ref}/{key}"
    if before := Campaign.objects.filter(founding_key=founding_key).first():
        return before
    day = services.valid_played_day(began)
    season = clean_name(season or suggest_season_name(day), "name of the season")
    act, state = FoundCampaign(name=name, master=person.pk, season=season), State()
    body, effects = codec.write_body(act, options={}, entry=1), codec.write_effects(act.decide(state, state.rules()))
    try:
        with transaction.atomic():
            log = log_services.create_log(
                "campaign",
                lambda writer: writer.append("founded", actor=person.pk, body=body, effects=effects, played_on=day),
            )
            campaign = Campaign.objects.create(
                code=secrets.token_hex(5), name=name, visibility=visibility, log=log, founding_key=founding_key
            )
            Member.objects.create(campaign=campaign, person=person, role=Member.Role.MASTER)
            selectors.refold(campaign)
    except IntegrityError:  # the same tap arrived twice at the same moment
        return Campaign.objects.get(founding_key=founding_key)
    return campaign


def record_agreement(
    campaign: Campaign,
    who: Who,
    *,
    key: str,
    terms: Mapping[str, str],
    options: Mapping[str, OptionValue] | None = None,
    began: dt.date | None = None,
) -> dict[str, object] | None:
    """What the players agreed on at the start. Nothing is written if they play by the book."""
    defaults = {term.key: term.default for term in TERMS}
    changed = {name: value for name, value in terms.items() if value and value != defaults.get(name)}
    if not changed and not options:
        return None
    return services.write(campaign, who, ChangeHouseRules(options or {}, changed), key=key, played_on=began)
