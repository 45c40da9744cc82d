"""What a salon of Your Majesty would come to, before anybody attends: the odds and the invitations.

A ``SalonPlan`` is a salon with the philosophes who would attend. For the example of ``salon_arithmetic`` the host reads
"Sophia 5 against 2 + card: wins on 1–2, 25 %.", and of the cards 1 to 6 the first two are marked as winning.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from cardgames.engine.board import FAILS, MAY_WIN, WINS, Preview, Scene
from cardgames.games.majesty.deck_definition import MajestyCard, randomizer_spread
from cardgames.games.majesty.rules import SEND
from cardgames.games.majesty.salon_arithmetic import FAUX_PAS, FEWEST, Salon, sophia_of
from cardgames.games.majesty.view_reading import CourtView, Faces

NEEDS_GUESTS = "Two must attend, so the salon needs a guest."


@dataclass(frozen=True, slots=True)
class SalonPlan:
    """A salon as its host would hold it, with so many attendees, and its chance in per cent."""

    attendees: int
    salon: Salon
    percent: int

    @property
    def can_be_held(self) -> bool:
        return self.attendees >= FEWEST

    @property
    def wins_on(self) -> tuple[int, ...]:
        return self.salon.wins_on if self.can_be_held else ()

    @property
    def _against(self) -> str:
        return f"sophia {self.salon.sophia} against {self.salon.against} + card"

    @property
    def odds(self) -> str:
        """A sentence of its own."""
        wins = self.salon.wins_on
        on = "cannot win" if not wins else f"wins on {wins[0]}–{wins[-1]}" if len(wins) > 1 else f"wins on {wins[0]}"
        return f"{self._against.capitalize()}: {on}, {self.percent} %."

    @property
    def chance(self) -> str:
        """The same within a sentence."""
        return f"{self._against}, {self.percent} %"

    def boxes(self, hoped: "SalonPlan | None" = None) -> tuple[tuple[str, str], ...]:
        """The cards 1 to 6: those that win now, and those that win if all guests come as hoped."""
        now, then = self.wins_on, hoped.wins_on if hoped else ()
        numbers = range(1, FAUX_PAS + 1)
        return tuple((str(card), WINS if card in now else MAY_WIN if card in then else FAILS) for card in numbers)


def plan_salon(scene: Scene, reform: MajestyCard, court: CourtView, muses: Sequence[str]) -> SalonPlan:
    """The salon for this reform with attendees of these muses."""
    sophia = sophia_of(muses, reform.muse, court.tours)
    salon = Salon(sophia, reform.level, len(court.scandals), scene.view.fields["faux_pas"])
    return SalonPlan(len(muses), salon, round(100 * salon.chance(randomizer_spread(scene.deck))))


def plan_best_salon(scene: Scene, reform: MajestyCard, court: CourtView, guests: Sequence[str] = ()) -> SalonPlan:
    """With the court's own and these guests: those of the reform's muse first, as far as there are chairs."""
    everybody = [*(card.muse for card in court.philosophes), *guests]
    return plan_salon(scene, reform, court, sorted(everybody, key=lambda muse: muse != reform.muse)[: court.wealth])


def preview_invitations(scene: Scene, faces: Faces, courts: Sequence[CourtView]) -> Preview:
    fields, court = scene.view.fields, courts[scene.view.reader]
    reform, guests = faces[fields["reform"]], [faces[card].muse for _, card in fields["invited"]]
    alone, all_come = plan_best_salon(scene, reform, court), plan_best_salon(scene, reform, court, guests)
    asked = len(guests)
    press = "Invite nobody" if not asked else "Send the invitation" if asked == 1 else f"Send {asked} invitations"
    if guests:
        nobody_comes = f"{alone.chance}." if alone.can_be_held else "no salon."
        says = f"All come: {all_come.chance}. Nobody comes: {nobody_comes}"
    else:
        says = alone.odds if alone.can_be_held else NEEDS_GUESTS
    return Preview(SEND, press, explanation=says, odds=alone.boxes(all_come))
