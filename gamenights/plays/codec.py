"""A play as JSON and back, for the log and the API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import dataclass_json
from dataclass_json import STORED, TextForm
from gamenights.plays.values import PlayFacts, Variant

# A play as JSON, in the log and over the API.
PlayJson = dict[str, Any]

dataclass_json.register_text_form(Variant, TextForm(Variant.from_key, lambda variant: variant.key, "a variant"))


def play_to_json(play: PlayFacts) -> PlayJson:
    """Only what is not as usual in a player, so that a log holds many plays."""
    body: PlayJson = dataclass_json.write(play)
    return body


def play_from_json(body: Mapping[str, Any]) -> PlayFacts:
    """Missing fields have their usual value."""
    return dataclass_json.read(PlayFacts, body, STORED)
