"""What apps above add to the chronicle."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from campaign.models import Campaign
from photos.display import PhotoRow

BattlePhotos = Callable[[Campaign, Sequence[int]], Mapping[int, tuple[PhotoRow, ...]]]

_battle_photos: list[BattlePhotos] = []


def register_battle_photos(find: BattlePhotos) -> None:
    """``find`` gives the photos of battles by their numbers."""
    _battle_photos.append(find)


def photos_of_battles(campaign: Campaign, numbers: Sequence[int]) -> Mapping[int, tuple[PhotoRow, ...]]:
    return {} if not numbers or not _battle_photos else _battle_photos[0](campaign, numbers)
