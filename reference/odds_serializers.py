"""What the odds of fights and musters are asked with, and what they answer."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from pages.api.answer_schema import SETTING
from pages.api.typed_fields import TypedJSONField
from reference.odds_calculator import OddsForm


class ChanceSerializer(serializers.Serializer):
    exact = serializers.CharField(help_text="A fraction, such as 3/10.")
    value = serializers.FloatField(help_text="The same as a number, rounded to six places.")


class DistributionSerializer(serializers.Serializer):
    chances = ChanceSerializer(many=True, help_text="The chance of 0, of 1, of 2 and so on.")
    mean = ChanceSerializer()


class ModifierSerializer(serializers.Serializer):
    key = serializers.CharField()
    kind = serializers.CharField(help_text="A, D or flat.")
    name = serializers.CharField()
    times = serializers.IntegerField()


class TallySerializer(serializers.Serializer):
    quality = serializers.IntegerField()
    advantages = serializers.IntegerField()
    disadvantages = serializers.IntegerField()
    step = serializers.IntegerField(help_text="What [A] and [D] add up to.")
    flat = serializers.IntegerField()
    added = serializers.IntegerField(help_text="Total added to each die.")
    against = serializers.IntegerField()
    marks = ModifierSerializer(many=True)


class DiceGroupSerializer(serializers.Serializer):
    whose = serializers.CharField()
    name = serializers.CharField()
    dice = serializers.IntegerField()
    needs = serializers.IntegerField(help_text="The lowest face that hits.")
    rerolls = serializers.BooleanField(help_text="Misses are re-rolled once.")
    why = TallySerializer()


class AttackOddsSerializer(serializers.Serializer):
    dice = DiceGroupSerializer(many=True)
    hits = DistributionSerializer()
    unsaved_wounds = DistributionSerializer()
    models_lost = DistributionSerializer()
    outcomes = serializers.DictField(child=ChanceSerializer())
    unit_gone = ChanceSerializer()
    tests_morale = ChanceSerializer()


class ExchangeSerializer(serializers.Serializer):
    attack = AttackOddsSerializer()
    attacker_models_lost = DistributionSerializer()
    fates = serializers.DictField(child=ChanceSerializer())
    goes_on = ChanceSerializer()


class MeleeToTheEndSerializer(serializers.Serializer):
    attacker_wins = ChanceSerializer()
    target_wins = ChanceSerializer()
    fates = serializers.DictField(child=ChanceSerializer())
    attacker_models_left = serializers.DictField(child=ChanceSerializer())
    target_models_left = serializers.DictField(child=ChanceSerializer())
    exchanges = ChanceSerializer(help_text="Expected number of attacks with battle back.")


class OddsAnswerSerializer(serializers.Serializer):
    title = serializers.CharField()
    attack = AttackOddsSerializer()
    exchange = ExchangeSerializer(allow_null=True, help_text="The attack and the battle back; null for shooting.")
    fought_out = MeleeToTheEndSerializer(allow_null=True, help_text="The melee to the end; null for shooting.")


class UnitInPlaySerializer(serializers.Serializer):
    key = serializers.CharField()
    models = serializers.IntegerField(required=False, help_text="Default: full strength.")
    hero = serializers.CharField(required=False, allow_null=True)
    wounds = serializers.IntegerField(required=False)
    hero_wounds = serializers.IntegerField(required=False)
    spear = serializers.BooleanField(required=False)
    shield = serializers.BooleanField(required=False)
    ladybug = serializers.BooleanField(required=False)
    fleeing = serializers.BooleanField(required=False)
    blessed = serializers.BooleanField(required=False)
    kissed = serializers.IntegerField(required=False)
    first_activated = serializers.BooleanField(required=False)


class PlaceSerializer(serializers.Serializer):
    terrain = serializers.CharField(required=False)
    piece = serializers.CharField(required=False, allow_null=True)
    extra_tall = serializers.BooleanField(required=False)
    flanked = serializers.IntegerField(required=False)
    king = serializers.CharField(required=False, allow_null=True)
    bearers = serializers.IntegerField(required=False)


class SituationSerializer(serializers.Serializer):
    """A situation. The rulebook validates it and explains what is wrong."""

    kind = serializers.ChoiceField(["shooting", "melee"])
    attacker = UnitInPlaySerializer()
    target = UnitInPlaySerializer()
    at = PlaceSerializer(required=False)
    target_at = PlaceSerializer(required=False)
    inches = serializers.FloatField(required=False, help_text="Shooting only; required.")
    moved = serializers.BooleanField(required=False, help_text="Shooting only.")
    charged = serializers.BooleanField(required=False, help_text="Melee only.")
    battling_back = serializers.BooleanField(required=False, help_text="Melee only.")
    adjacent = serializers.BooleanField(required=False, help_text="Both on neighbouring castle pieces.")
    event = serializers.CharField(required=False, allow_null=True)
    options = serializers.DictField(
        child=TypedJSONField(SETTING), required=False, help_text="House rules that differ from the book."
    )


def _query_field(field: Any) -> serializers.Field:
    from django import forms

    if isinstance(field, forms.BooleanField):
        return serializers.BooleanField(required=False, default=False)
    if isinstance(field, forms.IntegerField) and not isinstance(field, forms.FloatField):
        return serializers.IntegerField(required=False, min_value=field.min_value, max_value=field.max_value)
    if isinstance(field, forms.FloatField):
        return serializers.FloatField(required=False, min_value=field.min_value, max_value=field.max_value)
    return serializers.ChoiceField(field.choices, required=field.required, allow_blank=not field.required)


# The same fields as the page's form, so that a shared address of the page works here too.
OddsQuerySerializer = type(
    "OddsQuerySerializer",
    (serializers.Serializer,),
    {name: _query_field(field) for name, field in OddsForm.base_fields.items()},
)


class MusterQuerySerializer(serializers.Serializer):
    loyalty = serializers.IntegerField(required=False, default=0, min_value=-100, max_value=100)
    lost = serializers.RegexField(
        r"^([1-4](,[1-4]){0,3})?$",
        required=False,
        allow_blank=True,
        default="",
        help_text="Houses with lost fealty, such as 1,3.",
    )


class RowChanceSerializer(serializers.Serializer):
    unit = serializers.CharField(allow_null=True)
    name = serializers.CharField()
    chance = ChanceSerializer()
    at_least = ChanceSerializer(help_text="This row or a better one.")


class HouseOddsSerializer(serializers.Serializer):
    loyalty = serializers.IntegerField()
    rows = RowChanceSerializer(many=True)
    nobody = ChanceSerializer()
    hero = ChanceSerializer()
    models = ChanceSerializer(help_text="Expected, taking units as rolled.")
    most_models = ChanceSerializer(help_text="Expected, always taking the largest unit.")


class ArmyOddsSerializer(serializers.Serializer):
    loyalty = serializers.IntegerField()
    houses = serializers.IntegerField(help_text="Houses that are still loyal.")
    house = HouseOddsSerializer()
    models = serializers.DictField(child=ChanceSerializer())
    units = serializers.DictField(child=ChanceSerializer())
    heroes = serializers.DictField(child=ChanceSerializer())
    any_hero = ChanceSerializer()
    any_fealty_lost = ChanceSerializer()
    a_given_hero = ChanceSerializer()
    repeat = ChanceSerializer()
    expected_models = ChanceSerializer()
    expected_units = ChanceSerializer()
    expected_heroes = ChanceSerializer()


class MusterOddsSerializer(serializers.Serializer):
    odds = ArmyOddsSerializer()
    one_more_loyalty = serializers.ListField(child=serializers.CharField())
