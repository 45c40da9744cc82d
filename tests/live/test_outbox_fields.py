"""Phones keep forms they could not send, for days. So the names of their fields, and of what is kept, must not change.

A new field needs a new row here. A field that goes or gets another name must still be read under its old one:
tests/battles/tracker/test_old_forms.py posts forms as an older release drew them.
"""

from __future__ import annotations

import re

from battles.tracker.core.combat_helper import TICKS
from tests.services import ROOT

TEMPLATES = ROOT / "templates"
# Template -> the names that its forms send, beside the key. "*" is a name that the page fills in.
FIELDS = {
    "battles/tracker/_army.html": "kind side unit",
    "battles/tracker/_board.html": "",
    "battles/tracker/_castle.html": "damage kind piece vat",
    "battles/tracker/_combat_helper_body.html": (
        "* at building faces here how kind piece roll target target_at then told unit"
    ),
    "battles/tracker/_fight.html": "* at_count die faces fight here kind",
    "battles/tracker/_footer.html": "kind on side",
    "battles/tracker/_goals.html": "building held_* kind side wounds",
    "battles/tracker/_next_step.html": "at_count die event fight here kind roll_*",
    "battles/tracker/_round_over.html": "held_* kind of roll_*",
    "battles/tracker/_unit_body.html": (
        "castle did here how kind models on other seen_cells target terrain then token unit wounds"
    ),
    "battles/tracker/fix_tracker.html": "acted_* flees_* gone_* hero_* models_* round spent_* then wounds_*",
    # "*": enemy_B1, inches_B1 and so on, which an older form sent for every unit at once.
    "battles/tracker/solo_opponent.html": "* go here kind roll then",
    "battles/tracker/tracker.html": "kind token unit",
    "battles/tracker/undo.html": "seen then",
    "campaign/home/page.html": "text",
    "cardgames/companion/_turn.html": "act step",
    # "s*.*.*": for Of Mice and Monarchs s0.red.cards, s0.red.crowns and s0.red.left.
    "cardgames/companion/sheet.html": "s*.* s*.*.* s*.role seat",
    "cardgames/games/majesty/_sheet.html": "act seat step what",
    "cardgames/games/majesty/_turn.html": "act step what",
    "cardgames/games/monarchs/_after_turn.html": "act black step white",
    "cardgames/tables/seats/_confirm.html": "choice stamp",
    "gamenights/plays/entry.html": (
        "* begun day deck game minutes new_name notes other place-* play player rated role-* score-* scoring started"
        " team-* together won-*"
    ),
}
TICK_KEYS = "bearer enemy_inside far flanked king_near still target_bearer target_flanked target_king_near"
# What outbox.js stores of each form; it must be able to read what an older page has stored.
STORED = "after at every excerpt id key label sentAt sentence state tab target tries url who words"


def with_includes(text: str, seen: frozenset[str] = frozenset()) -> str:
    """The text with the templates it includes, each of them once."""

    def expand(match: re.Match) -> str:
        path = match[1]
        return match[0] if path in seen else match[0] + with_includes((TEMPLATES / path).read_text(), seen | {path})

    return re.sub(r'{% include "([^"]+)"[^%]*%}', expand, text)


def names_in(form: str) -> set[str]:
    form = re.sub(r"{#.*?#}", "", form)
    form = re.sub(r'name="{% if [^%]*%}(\w+){% else %}(\w+){% endif %}"', r'name="\1" name="\2"', form)
    plain = re.findall(r'\sname ?= ?"((?:{{.*?}}|[^"{])+)"', form)
    hidden = [name for tag in re.findall(r"{{ post_fields\((.*?)\) }}", form) for name in re.findall(r"\b(\w+)=", tag)]
    fields = re.findall(r"{{ form_field\(\w+\.(\w+)", form)
    return {re.sub(r"{{.*?}}", "*", name) for name in [*plain, *hidden, *fields]} - {"key"}


def outbox_forms() -> dict[str, str]:
    values: dict[str, set[str]] = {}
    for path in sorted(TEMPLATES.rglob("*.html")):
        for form in re.findall(r"<form\b.*?</form>", path.read_text(), re.DOTALL):
            if re.search(r"\sdata-outbox(?!-)", form):
                name = path.relative_to(TEMPLATES).as_posix()
                values.setdefault(name, set()).update(names_in(with_includes(form)))
    return {path: " ".join(sorted(names)) for path, names in values.items()}


def test_forms_that_phones_keep_have_the_names_they_always_had():
    assert outbox_forms() == FIELDS


def test_ticks_of_an_attack_have_the_names_they_always_had():
    """The "*" of the combat helper and of a fight."""
    assert " ".join(sorted({tick.key for ticks in TICKS.values() for tick in ticks})) == TICK_KEYS


def test_outbox_stores_a_form_under_the_names_it_always_had():
    script = (ROOT / "static/js/outbox.js").read_text()
    made = script.split("const item = {\n")[1].split("\n  };")[0]
    made = re.findall(r"^    (\w+)[:,]", made, re.MULTILINE)
    later = re.findall(r"\bitem\.(\w+) = ", script)
    assert " ".join(sorted({*made, *later})) == STORED
    assert 'const PREFIX = "outbox:";' in script
