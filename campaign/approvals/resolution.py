"""Inside the door of petitions: what was said so far, whether all agree, and the one line that is written then."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from typing import Any

from django.utils import timezone

from campaign import door, reading
from campaign.annals import consent as terms
from campaign.annals.acts import act_of
from campaign.annals.consent import MASTER
from campaign.annals.corrections import Preview
from campaign.annals.state import State
from campaign.models import Campaign, Petition
from jobs import clock
from log import door as log_door
from people.models import Person
from refusal import Refusal

STANDS = "petition-stands"

Answer = dict[str, Any]


class Table:
    """The campaign while its log is held, with its newest state and the one who acts."""

    def __init__(self, campaign: Campaign, pen: log_door.Pen) -> None:
        self.pen = pen
        self.campaign = door.held(campaign, pen)
        self.now, self.last = door.newest(self.campaign)

    def open(self, petition: Petition) -> Petition:
        """The petition as it is now; one that is settled is answered no more."""
        row = Petition.objects.get(pk=petition.pk)
        row.campaign = self.campaign
        if row.stage == Petition.Stage.WRITTEN:
            raise Refusal(f"This is settled: it stands in the chronicle as entry {row.entry}.", status=409)
        if not row.is_open:
            raise Refusal("This was taken back meanwhile.", status=409)
        return row

    def judge(self, act: str, version: Mapping[str, Any], confirmed: list[dict[str, Any]] | None = None) -> door.Judged:
        day = dt.date.fromisoformat(version["played"])
        kind, body = act_of(act), version["body"]
        return door.judge(self.campaign, kind, body, day, now=self.now, last=self.last, confirmed=confirmed)


def settle(table: Table, row: Petition) -> Answer:
    """Write it if all who are asked agree on one version; else keep what was said."""
    agreed = [n for n, _ in live(row) if not terms.missing(table.now, row.asks, row.votes, n)]
    if len(agreed) == 1:
        return write_down(table, row, agreed[0], _confirmed(table.now, row, agreed[0]))
    return kept(row)


def write_down(table: Table, row: Petition, version: int, confirmed: list[dict[str, Any]]) -> Answer:
    """One line of the chronicle, judged again as things are now. Where it is refused the petition stays, with the reason."""
    said = row.versions[version]
    try:
        if row.is_correction:
            seen = preview_of(table, said["body"])
            if seen.digest != said["body"]["digest"]:
                return _ask_anew(table, row, seen)
            done = door.put_right(
                table.pen, table.campaign, seen, why=said["body"]["why"], actor=said["person"], last=table.last, confirmed=confirmed
            )  # fmt: skip
        else:
            judged = table.judge(row.act, said, confirmed)
            done = door.put(
                table.pen, table.campaign, judged, actor=said["person"], behalf=said["behalf"], accept_late=said["late"]
            )
    except Refusal as refusal:
        row.trouble = refusal.sentence[:500]
        row.stands_at = None
        return kept(row) | {"trouble": refusal.sentence}
    row.stage, row.entry, row.trouble = Petition.Stage.WRITTEN, done["entry"], ""
    return done | kept(row)


def _ask_anew(table: Table, row: Petition, seen: Preview) -> Answer:
    """The chronicle has moved on under a correction: what it would do now is laid before everyone again."""
    told = row.versions[0]["body"]
    told |= {"digest": seen.digest, "before": told["changes"], "changes": changes_of(seen)}
    author = Person.objects.get(pk=row.versions[0]["person"])
    row.sides = list(seen.touches)
    row.asks = terms.asks_of_correction(table.now, seen, is_author(table, told["target"], author))
    row.votes = {key: vote_of(0, author) for key in voices(table.now, seen.touches, author, None)}
    row.versions[0]["digest"] = terms.digest(told)
    row.trouble = "The chronicle has moved on since this was asked. Look at what it would change now, and say again whether you agree."
    return kept(row) | {"trouble": row.trouble}


def kept(row: Petition) -> Answer:
    """Save it, with its stage as the versions and votes have it; only what waits unopposed has a clock."""
    if row.is_open:
        opposed = len(live(row)) > 1 or any(vote["version"] is None for vote in row.votes.values())
        row.stage = Petition.Stage.DISPUTED if opposed else Petition.Stage.WAITING
    if row.stage != Petition.Stage.WAITING:
        row.stands_at = None
    if not row.stands_at:
        clock.let_be(STANDS, row.pk)
    row.save()
    return {"petition": row.pk}


def voices(state: State, kingdoms: list[str] | tuple[str, ...], person: Person, chosen: str | None) -> list[str]:
    found = terms.voices(state, kingdoms, set(person.all_ids()))
    if chosen is None:
        return found
    if chosen not in found and MASTER not in found:
        raise Refusal("Only the ruler of this kingdom speaks for it, their regent, or the game master.", status=403)
    return [chosen, *([MASTER] if MASTER in found else [])]


def behalf_of(state: State, person: Person, mine: list[str]) -> int | None:
    """For whom they speak: a regent for the ruler, a game master for the kingdom they were asked to speak for."""
    ids = set(person.all_ids())
    rulers = [state.kingdoms[key].ruler for key in mine if key != MASTER]
    return rulers[0] if rulers and rulers[0] is not None and not ids & set(rulers) else None


def version_of(
    person: Person,
    body: Mapping[str, Any],
    day: dt.date,
    *,
    behalf: int | None = None,
    why: str = "",
    late: bool = False,
) -> dict[str, Any]:
    return {
        "person": person.pk,
        "behalf": behalf,
        "body": dict(body),
        "played": day.isoformat(),
        "late": late,
        "why": why,
        "digest": terms.digest(body),
        "at": timezone.now().isoformat(),
    }


def vote_of(version: int | None, person: Person, *, phone: Person | None = None) -> dict[str, Any]:
    lent = phone is not None and phone.root.pk != person.root.pk
    return {
        "version": version,
        "person": person.pk,
        "phone": phone.pk if phone and lent else None,
        "at": timezone.now().isoformat(),
    }


def cast(row: Petition, mine: list[str], vote: dict[str, Any]) -> None:
    row.votes |= dict.fromkeys(mine, vote)
    row.trouble = ""


def forget_votes(row: Petition, version: int) -> None:
    row.votes = {key: vote for key, vote in row.votes.items() if vote["version"] != version}


def same_as(table: Table, row: Petition, judged: door.Judged) -> int | None:
    """The version that comes to the same as what was judged just now."""
    sought = terms.comes_to(judged.body, judged.effects)
    for number, one in live(row):
        try:
            known = table.judge(row.act, one)
        except Refusal:  # things have moved on under it
            continue
        if terms.comes_to(known.body, known.effects) == sought:
            return number
    return None


def live(row: Petition) -> list[tuple[int, dict[str, Any]]]:
    return [(n, one) for n, one in enumerate(row.versions) if not one.get("gone")]


def version_at(row: Petition, version: int) -> dict[str, Any]:
    found = dict(live(row)).get(version)
    if found is None:
        raise Refusal("That version was taken back meanwhile.", status=409)
    return found


def kingdoms_of(row: Petition) -> list[str]:
    return [key for key in dict.fromkeys([*row.sides, *row.asks]) if key != MASTER]


def decided(state: State, asks: list[str], sides: Iterable[str], votes: terms.Votes, version: int) -> list[Answer]:
    """That a game master decided a matter of their own, for the chronicle to tell; nothing where all sides agree."""
    if not terms.master_alone(state, asks, votes, version):
        return []
    master = Person.objects.get(pk=votes[MASTER]["person"])
    side = terms.side_of(state, sides, set(master.all_ids()))
    return [{"kingdom": MASTER, "person": master.pk, "phone": None, "side": side}] if side else []


def _confirmed(state: State, row: Petition, version: int) -> list[dict[str, Any]]:
    """Who agreed, beside the one who said it."""
    author = row.versions[version]["person"]
    votes = [(key, vote) for key, vote in row.votes.items() if vote["version"] == version and vote["person"] != author]
    rows: dict[int, dict[str, Any]] = {}
    for key, vote in votes:
        said = {"kingdom": key, "person": vote["person"], "phone": vote["phone"]}
        if key != MASTER or vote["person"] not in rows:
            rows[vote["person"]] = said
    for said in decided(state, row.asks, row.sides, row.votes, version):
        rows[said["person"]] = said
    return list(rows.values())


def preview_of(table: Table, told: Mapping[str, Any]) -> Preview:
    choices = {int(number): choice for number, choice in told["choices"].items()}
    return door.preview(reading.lines_of(table.campaign), told["kind"], told["target"], told["body"], choices)


def changes_of(seen: Preview) -> list[list[Any]]:
    return [[change.what, change.subject, change.was, change.now] for change in seen.changes]


def is_author(table: Table, target: int, person: Person) -> bool:
    line = next((line for line in reading.lines_of(table.campaign) if line.number == target), None)
    return line is not None and line.actor in person.all_ids()
