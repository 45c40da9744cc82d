"""What waits for whose word, in one line each: for the campaign's page, the home page and the API."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from campaign.annals import consent
from campaign.annals.consent import MASTER
from campaign.annals.fought import is_battle
from campaign.annals.lines import Line
from campaign.annals.state import State
from campaign.annals.tales import Names, tale
from campaign.annals.wording import listed
from campaign.models import Petition
from campaign.settling import kingdoms_of, live

MASTERS = "the game master"


@dataclass(frozen=True, slots=True)
class PetitionRow:
    pk: int
    url: str
    title: str
    text: str
    stage: str
    waits_for: tuple[str, ...]
    asks_me: bool
    trouble: str


def row_of(petition: Petition, state: State, names: Names, mine: set[int]) -> PetitionRow:
    voices = consent.voices(state, kingdoms_of(petition), mine)
    return PetitionRow(
        pk=petition.pk,
        url=petition.get_absolute_url(),
        title=title_of(petition, names),
        text=said_of(petition, state, names, mine),
        stage=petition.stage,
        waits_for=waits_for(petition, state, names),
        asks_me=any(is_asked(petition, state, voice) for voice in voices),
        trouble=petition.trouble or gone(petition, state),
    )


def rows(petitions: Iterable[Petition], state: State, names: Names, mine: set[int]) -> tuple[PetitionRow, ...]:
    return tuple(row_of(petition, state, names, mine) for petition in petitions)


def shown(petition: Petition) -> list[tuple[int, dict[str, Any]]]:
    """The versions that stand; of a petition taken back, those that did."""
    return live(petition) or list(enumerate(petition.versions))


def title_of(petition: Petition, names: Names) -> str:
    body = petition.versions[0]["body"]
    if petition.is_correction:
        return f"A correction of entry {body['target']}"
    if not is_battle(Line(0, petition.act, body, [], "")):
        return petition.act.replace("_", " ").capitalize()
    battle = body.get("battle")
    return names.place(body["target"]) + (f", battle {battle}" if battle else "")


def said_of(petition: Petition, state: State, names: Names, mine: Collection[int] = ()) -> str:
    """Who says what, and for whom it waits; the reader is "you"."""
    author = names.person(petition.versions[0]["person"])
    told = shown(petition)
    if petition.is_correction:
        what = {"strike": "strike", "amend": "amend", "restore": "restore what was corrected by"}[petition.act]
        said = f"{author} asks to {what} it."
    elif len(told) > 1:
        said = f"{listed([names.person(one['person']) for _, one in told])} tell it differently."
    else:
        body = told[0][1]["body"]
        if len(petition.sides) == 2:
            body = {"defender": petition.sides[1], **body}
        said = f"{names.person(told[0][1]['person'])} says: {tale(Line(0, petition.act, body, [], ''), names)}"
    return f"{said} {waits_words(petition, state, names, mine)}".strip()


def waits_words(petition: Petition, state: State, names: Names, mine: Collection[int] = ()) -> str:
    if not petition.is_open:
        return ""
    waits = listed(waits_for(petition, state, names, mine))
    if petition.stage == Petition.Stage.DISPUTED:
        sides = [key for key in consent.still_asked(state, petition.asks) if key != MASTER]
        agree = ", or the sides agree" if len(sides) > 1 else ""
        return f"The game master decides{agree}."
    return f"It waits for {waits}." if waits else ""


def waits_for(petition: Petition, state: State, names: Names, mine: Collection[int] = ()) -> tuple[str, ...]:
    """Names of those whose word is missing, for the version that stands nearest."""
    told = live(petition)
    if not petition.is_open or not told:
        return ()
    missing = min((consent.missing(state, petition.asks, petition.votes, n) for n, _ in told), key=len)
    return tuple(dict.fromkeys(answers_for(state, key, names, mine) for key in missing))


def is_asked(petition: Petition, state: State, voice: str) -> bool:
    """Whether this voice has something to say that it has not said: a side asked, or a master where nobody else can."""
    if not petition.is_open:
        return False
    if petition.stage == Petition.Stage.DISPUTED:
        return voice == MASTER or voice not in petition.votes
    return voice in consent.missing(state, petition.asks, petition.votes, live(petition)[0][0])


def gone(petition: Petition, state: State) -> str:
    """A battle that was settled otherwise meanwhile: the report can only be taken back."""
    battle = petition.versions[0]["body"].get("battle")
    if petition.is_open and not petition.is_correction and battle and battle not in state.battles:
        return f"Battle {battle} is not open. It was reported or called off meanwhile."
    return ""


def answers_for(state: State, key: str, names: Names, mine: Collection[int] = ()) -> str:
    if key == MASTER:
        return MASTERS
    acting = state.kingdoms[key].acting
    return "you" if acting in mine else names.person(acting)


def with_phone(names: Names, person: int, phone: int | None) -> str:
    return names.person(person) + (f" on {names.person(phone)}’s phone" if phone else "")


def confirmed_words(rows: list[dict], names: Names) -> str:
    """How a line of the chronicle says who agreed to it."""
    if any("stood" in row for row in rows):
        return "stood after 7 days without objection"
    said = [with_phone(names, row["person"], row.get("phone")) for row in rows if not row.get("side")]
    words = [f"confirmed by {listed(said)}"] if said else []
    # A matter of the game master's own, decided by their word.
    words += [
        f"decided by {names.person(row['person'])}, game master and on the side of {names.kingdom(row['side'])}"
        for row in rows
        if row.get("side")
    ]
    return ", ".join(words)
