"""The castle of a siege: its nine pieces, who may stand where, and when it is taken. Attacks on it: ``assault``."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from refusal import Refusal
from rulebook.battle.unit_in_play import COURTYARD, Place
from rulebook.data.battlefield import terrain_of
from rulebook.data.house_rules import BY_THE_BOOK, Options
from rulebook.data.rule_texts import Rule
from rulebook.data.scenarios import SCENARIO, SIDES, SideKey
from rulebook.data.units import unit_of
from rulebook.input_checks import Answer, check_count, check_inches, check_one_of, look_up, no, quote_value, yes
from text import join_list

OUTSIDE = "outside"

VATS = 2
GARRISON_BALLISTAE = 2
TRAIN_CAT_NON = 2
SIEGE_TERRAIN = 6
TERRAIN_FROM_CASTLE = 4
RIVER_PIECES_PER_CROSSING = 3


@dataclass(frozen=True, slots=True)
class PieceKind:
    key: str
    name: str
    number: int
    ac: int | None  # None: nothing to hit
    save_bonus: int | None
    hits: int | None  # unsaved hits that level it
    holds: str
    text: str
    rules: tuple[str, ...]

    @property
    def battlement(self) -> bool:
        """Where a vat can stand: the gatehouse is the fourth battlement."""
        return self.key in ("battlement", "gatehouse")

    @property
    def wall(self) -> bool:
        return self.hits is not None


# fmt: off
PIECE_KINDS: tuple[PieceKind, ...] = (
    #         key           name         no AC    save  hits  holds
    PieceKind("tower",      "Tower",      4, 9,    3,    2,    "a garrison Ballista on two of them",
              "A corner of the castle. Riders cannot climb it. Two unsaved Cat-non hits level it.",
              ("SIEGE-04", "SIEGE-05", "SIEGE-13")),
    PieceKind("battlement", "Battlement", 3, 9,    3,    2,
              "a vat of cheese sauce on two of them, the defender's choice (the gatehouse can be one)",
              "A wall between two towers. Riders cannot climb it. "
              "Two unsaved Cat-non hits level it.", ("SIEGE-04", "SIEGE-05", "SIEGE-10")),
    PieceKind("gatehouse",  "Gatehouse",  1, 9,    3,    1,    "as a battlement",
              "The fourth battlement, with the gate in it. "
              "As hard to hit as the others, but one unsaved hit levels it.", ("SIEGE-04", "SIEGE-05", "R-80")),
    PieceKind("courtyard",  "Courtyard",  1, None, None, None, "as many units as fit",
              "Open ground inside the walls, not a terrain piece. "
              "Attackers can enter from the ground once a piece is levelled.", ("SIEGE-04", "SIEGE-08")),
)
# fmt: on

PIECE_KIND: dict[str, PieceKind] = {kind.key: kind for kind in PIECE_KINDS}


@dataclass(frozen=True, slots=True)
class CastlePiece:
    key: str
    name: str
    kind: PieceKind


_NAMES = {piece.key: piece.name for piece in SCENARIO["siege"].pieces}
# Round the walls from the north-west, the courtyard last.
PIECES: tuple[CastlePiece, ...] = tuple(
    CastlePiece(key, _NAMES[key], PIECE_KIND[key.partition("_")[0]])
    for key in (
        *("tower_nw", "battlement_n", "tower_ne", "battlement_e", "tower_se", "gatehouse", "tower_sw", "battlement_w"),
        COURTYARD,
    )
)

PIECE: dict[str, CastlePiece] = {piece.key: piece for piece in PIECES}
RING: tuple[str, ...] = tuple(piece.key for piece in PIECES if piece.kind.wall)


def piece_of(key: object) -> CastlePiece:
    return look_up(key, PIECE, "castle piece")


def adjacent_pieces(key: str) -> tuple[str, ...]:
    """The pieces next to this one on the ring; the courtyard lies beside all eight (SIEGE-04, SIEGE-09)."""
    if piece_of(key).key == COURTYARD:
        return RING
    at = RING.index(key)
    return RING[at - 1], RING[(at + 1) % len(RING)], COURTYARD


# fmt: off
SIEGE_RULES: tuple[Rule, ...] = (
    Rule("castle",     "The castle",
         "It is in the centre of the table: four towers at the corners, four battlements between them "
         "(one is the gatehouse), and the courtyard inside.", ("SIEGE-01", "SIEGE-04")),
    Rule("terrain",    "Terrain",
         'The defender adds six pieces, but no fortress, each at least 4" from the castle. '
         'A river needs a ford or bridge for every third piece.', ("SIEGE-01", "SIEGE-02")),
    Rule("deployment", "Deployment",        'The defender deploys anywhere, the attacker within 4" of any edge.',
         ("SIEGE-03",)),
    Rule("destroying", "Walls fall",
         "Only a Cat-non damages walls. It must reach AC 9, and the wall saves at +3. "
         "Two unsaved hits level a tower or battlement, one the gatehouse.", ("SIEGE-05", "R-80", "R-81")),
    Rule("rubble",     "Rubble",
         "A levelled piece kills every unit in it, and the other side scores them. "
         "It becomes rubble, which is bad goings.", ("SIEGE-06", "SIEGE-07", "R-86")),
    Rule("courtyard",  "The courtyard",
         "Once a piece is levelled, the attacker can enter the courtyard. "
         "It is open ground with room for several units.", ("SIEGE-08",)),
    Rule("climbing",   "Over the walls",
         "Units on foot can climb an empty piece from the ground. "
         "A unit on a piece can be flanked from the pieces left and right of it. "
         "It is in melee with a unit there only once one has attacked the other.",
         ("SIEGE-09", "R-95")),
    Rule("sauce",      "Cheese sauce",
         "The defender puts a vat on each of two battlements. "
         "When a unit charges a manned wall with a vat from outside, roll a d10: "
         "on 8+ the chargers lose a model, with no save.", ("SIEGE-10", "SIEGE-11", "R-82")),
    Rule("sauce_when", "How often",
         "Once per melee, and again when another unit charges. Never into the courtyard. "
         "Whoever is at the vat pours it, and is the attacker of the morale test. A shield does not help.",
         ("SIEGE-12", "R-96")),
    Rule("ballistae",  "Garrison",
         "The defender gets two extra Ballistae. They are on towers and never move. "
         "A mustered Ballista deploys and moves as usual.", ("SIEGE-13", "R-84")),
    Rule("train",      "Siege train",       "The attacker gets two extra Cat-non.", ("SIEGE-14",)),
    Rule("vp",         "VP",
         "1 VP for each enemy unit removed (garrison, siege train and rebels too) and 2 VP for the win.",
         ("SIEGE-15", "R-85")),
)
# fmt: on


# --- a castle in battle -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Occupant:
    """A unit in the castle. ``fixed``: a garrison Ballista, which never moves (SIEGE-13)."""

    name: str
    side: SideKey
    key: str  # of the unit
    fleeing: bool = False
    fixed: bool = False

    def __post_init__(self) -> None:
        unit_of(self.key)
        check_one_of(self.side, SIDES, "side")
        if not self.name:
            raise Refusal("A unit in the castle needs a name.", field="name")

    @property
    def mounted(self) -> bool:
        return unit_of(self.key).mounted


@dataclass(frozen=True, slots=True)
class PieceState:
    key: str
    damage: int = 0
    vat: bool = False
    occupants: tuple[Occupant, ...] = ()

    @property
    def piece(self) -> CastlePiece:
        return PIECE[self.key]

    @property
    def hits_left(self) -> int:
        """Unsaved hits it still takes; 0 once it is levelled, and for the courtyard."""
        return max(0, (self.piece.kind.hits or 0) - self.damage)

    @property
    def levelled(self) -> bool:
        return self.piece.kind.wall and self.hits_left == 0

    @property
    def standing_wall(self) -> bool:
        return self.piece.kind.wall and not self.levelled

    @property
    def terrain(self) -> str:
        """What the piece is on the table: fortress, bad goings once levelled, clear in the courtyard (SIEGE-07)."""
        if self.levelled:
            return "bad_goings"
        return "fortress" if self.piece.kind.wall else "clear"


@dataclass(frozen=True, slots=True)
class Castle:
    """A castle at one moment of the siege."""

    pieces: tuple[PieceState, ...]
    poured: tuple[tuple[str, str], ...] = ()  # (piece, charging unit): sauce already spent in this melee

    @classmethod
    def start(cls, vats: Iterable[str], ballistae: Iterable[str]) -> "Castle":
        """The castle as the defender prepares it: two battlements with vats, two towers with garrison Ballistae."""
        sauce, towers = tuple(vats), tuple(ballistae)
        for key in sauce:
            if not piece_of(key).kind.battlement:
                raise Refusal(f"A vat goes on a battlement or the gatehouse, not on {quote_value(key)}.", field="vats")
        for key in towers:
            if piece_of(key).kind.key != "tower":
                raise Refusal(f"A garrison Ballista goes on a tower, not on {quote_value(key)}.", field="ballistae")
        if len(sauce) != VATS or len(set(sauce)) != VATS:
            raise Refusal(
                f"Choose two different battlements for the vats, not {join_list(sauce) or 'none'}.", field="vats"
            )
        if len(towers) != GARRISON_BALLISTAE or len(set(towers)) != GARRISON_BALLISTAE:
            raise Refusal(
                f"Choose two different towers for the garrison Ballistae, not {join_list(towers) or 'none'}.",
                field="ballistae",
            )
        garrison = {
            key: (Occupant(f"Garrison Ballista {number}", "B", "ballista", fixed=True),)
            for number, key in enumerate(towers, 1)
        }
        return cls(tuple(PieceState(p.key, vat=p.key in sauce, occupants=garrison.get(p.key, ())) for p in PIECES))

    def __getitem__(self, key: str) -> PieceState:
        piece_of(key)
        return next(piece for piece in self.pieces if piece.key == key)

    @property
    def levelled(self) -> tuple[str, ...]:
        return tuple(piece.key for piece in self.pieces if piece.levelled)

    @property
    def breached(self) -> bool:
        """Whether the enemy can reach the courtyard from the ground (SIEGE-08)."""
        return bool(self.levelled)

    def find(self, name: str) -> tuple[str, Occupant] | None:
        """The piece a unit stands on, and the unit; None when it is not in the castle."""
        for piece in self.pieces:
            for occupant in piece.occupants:
                if occupant.name == name:
                    return piece.key, occupant
        return None

    def locate(self, name: str) -> tuple[str, Occupant]:
        if (standing := self.find(name)) is None:
            raise Refusal(f"{quote_value(name)} is not in the castle.", field="unit")
        return standing

    def with_piece(self, piece: PieceState) -> "Castle":
        return replace(self, pieces=tuple(piece if p.key == piece.key else p for p in self.pieces))

    def without_unit(self, name: str) -> "Castle":
        key, _ = self.locate(name)
        state = self[key]
        return self.with_piece(replace(state, occupants=tuple(o for o in state.occupants if o.name != name)))

    def with_fleeing(self, name: str, fleeing: bool = True) -> "Castle":
        key, _ = self.locate(name)
        state = self[key]
        occupants = tuple(replace(o, fleeing=fleeing) if o.name == name else o for o in state.occupants)
        return self.with_piece(replace(state, occupants=occupants))

    # --- standing and climbing ----------------------------------------------------------------------------------

    def can_stand(self, unit: Occupant, key: str, coming_from: str | None = None) -> Answer:
        """Whether a unit may take that place. ``coming_from``: a piece, ``outside``, or nothing when deploying."""
        state = self[key]
        blocked = self._can_come(unit, state, coming_from)
        if not blocked:
            return blocked
        if key == COURTYARD:
            return yes("The courtyard is open ground with room for several units.", "SIEGE-08")
        if state.standing_wall and unit.mounted:
            row = unit_of(unit.key)
            why = "they are mounted" if row.many else "it is mounted"
            return no(f"{row.name} cannot climb a tower or battlement: {why}.", "TERRAIN-14")
        others = [o for o in state.occupants if o.name != unit.name]
        if others:
            foe = others[0].side != unit.side
            way = "Charge it instead." if foe else "A piece has room for one unit."
            return no(f"{others[0].name} is already there. {way}", "TERRAIN-04", "SIEGE-09")
        if state.levelled:
            return yes("Rubble is bad goings. Anyone can enter, on foot or mounted.", "SIEGE-07")
        return yes("The piece is empty and can be occupied.", "SIEGE-09")

    def _can_come(self, unit: Occupant, state: PieceState, coming_from: str | None) -> Answer:
        if coming_from is None:
            if unit.side == "A":
                return no('The attacker deploys within 4" of the table edges, not in the castle.', "SIEGE-03")
            if unit.fixed and state.piece.kind.key != "tower":
                return no("A garrison Ballista goes on a tower.", "SIEGE-13")
            return yes("The defender deploys anywhere.", "SIEGE-03")
        if unit.fixed:
            return no("A garrison Ballista never leaves its tower.", "SIEGE-13", "R-84")
        if coming_from != OUTSIDE:
            if coming_from not in adjacent_pieces(state.key):
                return no(f"The {piece_of(coming_from).name} does not touch the {state.piece.name}.", "SIEGE-09")
            return yes("From inside, the castle is open ground.", "TERRAIN-16")
        if state.key == COURTYARD and unit.side == "A" and not self.breached:
            return no("The walls are still intact. Level a piece first.", "SIEGE-08")
        return yes("Units on foot can climb in from outside.", "SIEGE-09")

    def with_deployed(self, unit: Occupant, key: str) -> "Castle":
        if self.find(unit.name) is not None:
            raise Refusal(f"{unit.name} is already in the castle.", field="unit")
        self.can_stand(unit, key).require("piece")
        return self._with_occupant(unit, key)

    def with_entered(self, unit: Occupant, key: str, coming_from: str = OUTSIDE) -> "Castle":
        """A unit moves onto a piece, from the ground or from another piece."""
        standing = self.find(unit.name)
        if (OUTSIDE if standing is None else standing[0]) != coming_from:
            where = "outside the castle" if standing is None else f"on {standing[0]}"
            raise Refusal(f"{unit.name} is {where}, not on {quote_value(coming_from)}.", field="coming_from")
        self.can_stand(unit, key, coming_from).require("piece")
        castle = self if standing is None else self.without_unit(unit.name)
        return castle._with_occupant(unit, key)

    def _with_occupant(self, unit: Occupant, key: str) -> "Castle":
        state = self[key]
        return self.with_piece(replace(state, occupants=(*state.occupants, unit)))

    def enemies_beside(self, name: str) -> tuple[Occupant, ...]:
        """Enemies in contact because they stand on the next piece of the wall (SIEGE-09)."""
        key, unit = self.locate(name)
        if not self[key].standing_wall:
            return ()
        neighbours = (self[other] for other in adjacent_pieces(key) if self[other].standing_wall)
        return tuple(o for piece in neighbours for o in piece.occupants if o.side != unit.side)

    def place_of(self, name: str, fighting: str | None = None) -> Place:
        """The unit's place as ``modifiers`` wants it, flankers counted but for the one it fights."""
        key, _ = self.locate(name)
        state = self[key]
        piece = None if state.levelled else state.piece.kind.key
        flankers = [o for o in self.enemies_beside(name) if o.name != fighting and not o.fleeing]
        return Place(state.terrain, piece=piece, flanked=len(flankers))


# --- set-up checked ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TerrainPiece:
    """A piece of terrain the defender lays out: ``river`` for part of a stream, ``crossing`` for a ford or bridge."""

    terrain: str
    from_castle: float
    river: bool = False
    crossing: bool = False


def find_setup_problems(terrain: Iterable[TerrainPiece]) -> tuple[str, ...]:
    """What the defender's terrain still lacks or has too much of; the table decides (SIEGE-01, SIEGE-02)."""
    pieces = tuple(terrain)
    problems = []
    if len(pieces) != SIEGE_TERRAIN:
        problems.append(f"The defender places {SIEGE_TERRAIN} pieces, not {len(pieces)}.")
    for number, piece in enumerate(pieces, 1):
        if terrain_of(piece.terrain).key == "fortress":
            problems.append(f"Piece {number} is a fortress. Only the castle may be one.")
        if check_inches(piece.from_castle, "distance to the castle") < TERRAIN_FROM_CASTLE:
            problems.append(
                f'Piece {number} is {piece.from_castle:g}" from the castle. '
                f'It must be at least {TERRAIN_FROM_CASTLE}" away.'
            )
    river = sum(piece.river for piece in pieces)
    crossings = sum(piece.river and piece.crossing for piece in pieces)
    needed = crossings_needed(river)
    if crossings < needed:
        problems.append(f"A river of {river} pieces needs {needed} fords or bridges and has {crossings}.")
    return tuple(problems)


def crossings_needed(river_pieces: int) -> int:
    """One ford or bridge for every third piece of a river (SIEGE-02)."""
    return check_count(river_pieces, "number of river pieces") // RIVER_PIECES_PER_CROSSING


# --- how it ends ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SiegeEnd:
    key: str
    winner: Literal["attacker", "defender", "draw"] | None  # None: the siege goes on
    text: str
    rules: tuple[str, ...]

    @property
    def winning_side(self) -> SideKey | None:
        return "A" if self.winner == "attacker" else "B" if self.winner == "defender" else None


# fmt: off
SIEGE_ENDS: tuple[SiegeEnd, ...] = (
    SiegeEnd("defenders_yield",  "attacker", "The defenders yield and the castle is taken.", ("SIEGE-15", "R-79")),
    SiegeEnd("attackers_yield",  "defender", "The attackers give up and the castle is held.", ("SIEGE-15", "CAMP-06")),
    SiegeEnd("defenders_gone",   "attacker", "No defender is left on the table: the castle is taken.",
             ("SIEGE-15", "R-79")),
    SiegeEnd("attackers_gone",   "defender", "No attacker is left on the table: the castle is held.",
             ("SIEGE-15", "CAMP-06")),
    SiegeEnd("both_beaten",      "draw",     "No unit is left that is not fleeing. The castle stays with its holder.",
             ("R-56", "R-59")),
    SiegeEnd("defenders_routed", "attacker", "Every defender is fleeing at the end of the round: the castle is taken.",
             ("R-59", "R-79")),
    SiegeEnd("attackers_routed", "defender", "Every attacker is fleeing at the end of the round: the castle is held.",
             ("R-59", "CAMP-06")),
    SiegeEnd("sole_occupant",    "attacker",
             "Only attackers are in the castle at the end of the round. By house rule it is taken.",
             ("R-79",)),
    SiegeEnd("goes_on",          None,       "The siege goes on.", ("SIEGE-15",)),
)
# fmt: on

SIEGE_END: dict[str, SiegeEnd] = {end.key: end for end in SIEGE_ENDS}


@dataclass(frozen=True, slots=True)
class RemainingForce:
    units: int
    fleeing: int = 0

    def __post_init__(self) -> None:
        check_count(self.units, "number of units left")
        check_count(self.fleeing, "number of fleeing units", most=self.units)

    @property
    def routed(self) -> bool:
        return self.units == self.fleeing


def find_siege_end(
    attackers: RemainingForce,
    defenders: RemainingForce,
    *,
    yields: str | None = None,
    round_over: bool = False,
    castle: Castle | None = None,
    options: Options = BY_THE_BOOK,
) -> SiegeEnd:
    """Whether the castle is taken or held. Routs and sole possession are looked at when a round is over."""
    if yields is not None:
        side = check_one_of(yields, SIDES, "side that yields")
        return SIEGE_END["attackers_yield" if side == "A" else "defenders_yield"]
    if attackers.units == 0 and defenders.units == 0:
        return SIEGE_END["both_beaten"]
    for side, force in (("defenders", defenders), ("attackers", attackers)):
        if force.units == 0:
            return SIEGE_END[f"{side}_gone"]
    if round_over and options.rout_ends_battle and (attackers.routed or defenders.routed):
        if attackers.routed and defenders.routed:
            return SIEGE_END["both_beaten"]
        return SIEGE_END["defenders_routed" if defenders.routed else "attackers_routed"]
    if round_over and options.siege_win == "sole_occupant":
        if castle is None:
            raise Refusal("The house rules ask who is in the castle, but there is no castle.", field="castle")
        if sides_in_castle(castle) == {"A"}:
            return SIEGE_END["sole_occupant"]
    return SIEGE_END["goes_on"]


def sides_in_castle(castle: Castle) -> set[SideKey]:
    """The sides with a unit in the castle, on a standing piece or in the courtyard; a fleeing unit holds nothing."""
    return {o.side for piece in castle.pieces if not piece.levelled for o in piece.occupants if not o.fleeing}
