"""What a salon of Your Majesty would come to, before anybody attends: the odds and the invitations."""

from __future__ import annotations

from collections.abc import Sequence

from cardgames.engine.board import FAILS, MAY_WIN, WINS, Preview, Scene
from cardgames.games.majesty.deck_definition import MajestyCard, randomizer_spread
from cardgames.games.majesty.rules import SEND
from cardgames.games.majesty.salon_arithmetic import FAUX_PAS, FEWEST, salon_chance, sophia_of, winning_randomizers
from cardgames.games.majesty.view_reading import CourtView, Faces

NEEDS_GUESTS = "Two must attend, so the salon needs a guest."


def cards_that_win(
    scene: Scene, reform: MajestyCard, muses: Sequence[str], court: CourtView
) -> tuple[int, tuple[int, ...]]:
    """The sophia of these attendees, and the cards with which the salon succeeds."""
    sophia = sophia_of(muses, reform.muse, court.tours)
    faux_pas = scene.view.fields["faux_pas"]
    return sophia, winning_randomizers(sophia, reform.level, len(court.scandals), faux_pas=faux_pas)


def describe_odds(scene: Scene, reform: MajestyCard, muses: Sequence[str], court: CourtView) -> str:
    wins = cards_that_win(scene, reform, muses, court)[1]
    on = "cannot win" if not wins else f"wins on {wins[0]}–{wins[-1]}" if len(wins) > 1 else f"wins on {wins[0]}"
    against, _, percent = describe_chance(scene, reform, muses, court).rpartition(", ")
    return f"{against[:1].upper()}{against[1:]}: {on}, {percent}."


def describe_chance(scene: Scene, reform: MajestyCard, muses: Sequence[str], court: CourtView) -> str:
    scandals, faux_pas = len(court.scandals), scene.view.fields["faux_pas"]
    sophia = sophia_of(muses, reform.muse, court.tours)
    chance = salon_chance(sophia, reform.level, scandals, randomizer_spread(scene.deck), faux_pas=faux_pas)
    return f"sophia {sophia} against {reform.level + scandals} + card, {round(100 * chance)} %"


def odds_boxes(
    scene: Scene, reform: MajestyCard, court: CourtView, sure: Sequence[str], hoped: Sequence[str] = ()
) -> tuple[tuple[str, str], ...]:
    """The cards 1 to 6: those that win with whoever attends for certain, and those that win if all guests come."""
    now = cards_that_win(scene, reform, sure, court)[1] if len(sure) >= FEWEST else ()
    then = cards_that_win(scene, reform, hoped, court)[1] if len(hoped) >= FEWEST else ()
    numbers = range(1, FAUX_PAS + 1)
    return tuple((str(card), WINS if card in now else MAY_WIN if card in then else FAILS) for card in numbers)


def best_attendees(court: CourtView, reform: MajestyCard, guests: Sequence[str] = ()) -> list[str]:
    """The muses of those who would attend: those of the reform's muse first, as far as there are chairs."""
    everybody = [*(card.muse for card in court.philosophes), *guests]
    return sorted(everybody, key=lambda muse: muse != reform.muse)[: court.wealth]


def preview_invitations(scene: Scene, faces: Faces, courts: Sequence[CourtView]) -> Preview:
    fields, court = scene.view.fields, courts[scene.view.reader]
    reform = faces[fields["reform"]]
    guests = [faces[card].muse for _, card in fields["invited"]]
    asked, own, all_come = len(guests), best_attendees(court, reform), best_attendees(court, reform, guests)
    alone = "" if len(own) < FEWEST else describe_odds(scene, reform, own, court)
    press = "Invite nobody" if not asked else "Send the invitation" if asked == 1 else f"Send {asked} invitations"
    if not guests:
        says = alone or NEEDS_GUESTS
    else:
        says = f"All come: {describe_chance(scene, reform, all_come, court)}."
        says += f" Nobody comes: {describe_chance(scene, reform, own, court)}." if alone else " Nobody comes: no salon."
    return Preview(SEND, press, explanation=says, odds=odds_boxes(scene, reform, court, own, all_come))
