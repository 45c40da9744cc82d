"""Two armies compared, as JSON; every chance is an exact fraction."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Annotated

from rest_framework.request import Request
from rest_framework.views import APIView

from musters import permissions
from musters.compare import display
from musters.compare.calculation import Cell, Row, Setting
from musters.compare.display import Code, ComparedArmies, CompareDisplay, compare_battle, compare_codes
from pages.api.operations import PublicAPIView, Query, operation
from pages.fields.rows import extend, take


@dataclass(frozen=True, slots=True)
class PairOdds:
    target: Annotated[str, "Slot in its army: king, house-1 …"]
    unit: str
    why_not: Annotated[str, "Why this attack is impossible; then all other fields are null."]
    damage: Fraction | None = None
    models: Fraction | None = None
    breaks: Fraction | None = None
    destroys: Fraction | None = None
    back: Fraction | None = None


@dataclass(frozen=True, slots=True)
class AttackingUnit:
    attacker: str
    unit: str
    against: tuple[PairOdds, ...]


@dataclass(frozen=True, slots=True)
class ArmyAttacks:
    attacker: str
    target: str
    damage: Fraction | None
    breaks: Fraction | None
    units: tuple[AttackingUnit, ...]


@dataclass(frozen=True, slots=True)
class CompareAnswer:
    api_name = "Compare"

    one: Annotated[str, "Code of the first army."]
    two: str
    situation: str
    setting: Setting
    notes: tuple[str, ...]
    strikes: tuple[ArmyAttacks, ...]


def _answer(compared: CompareDisplay) -> CompareAnswer:
    return CompareAnswer(
        one=compared.one.code,
        two=compared.two.code,
        situation=compared.setting.words,
        setting=compared.setting,
        notes=compared.notes,
        strikes=tuple(map(_answer_attacks, compared.attacks)),
    )


def _answer_attacks(attacks: display.ArmyAttacks) -> ArmyAttacks:
    table = attacks.table
    units = tuple(map(_answer_unit, table.rows))
    return ArmyAttacks(attacks.attacker, attacks.target, table.damage, table.breaks, units)


def _answer_unit(row: Row) -> AttackingUnit:
    return AttackingUnit(row.attacker.slot.key, row.attacker.name, tuple(map(_answer_pair, row.cells)))


def _answer_pair(cell: Cell) -> PairOdds:
    pair = PairOdds(cell.target.slot.key, cell.target.name, cell.why_not)
    return extend(PairOdds, cell.odds, target=pair.target, unit=pair.unit, why_not="") if cell.odds else pair


@dataclass(frozen=True, kw_only=True)
class CompareCodes(Setting, ComparedArmies):
    """Two armies and the situation."""

    a: Code = field()
    b: Code = field()


class CompareView(PublicAPIView):
    """Public: an army code holds no secret."""

    @operation("musters_compare")
    def get(self, request: Request, query: Query[CompareCodes]) -> CompareAnswer:
        """Exact odds of every unit of two armies against every other."""
        asked = query.value
        return _answer(compare_codes(asked, take(Setting, asked)))


class BattleCompareView(APIView):
    @operation("musters_compare_battle")
    def get(self, request: Request, campaign: str, battle: int, query: Query[Setting]) -> CompareAnswer:
        """Compare the two armies of a campaign battle, if you can see both."""
        seen = permissions.get_campaign(request.who, campaign)
        return _answer(compare_battle(request.who, seen, battle, query.value))
