"""Django's TextChoices, as mypy should see it: each member is a text of its own class.

Django has no types, so that a member would look like the pair of value and label it is written as.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import enum
    from typing import ClassVar

    class TextChoices(enum.StrEnum):
        choices: "ClassVar[list[tuple[str, str]]]"
        labels: "ClassVar[list[str]]"
        values: "ClassVar[list[str]]"

        @property
        def label(self) -> str: ...

else:
    from django.db.models import TextChoices

__all__ = ["TextChoices"]
