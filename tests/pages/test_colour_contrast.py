"""Contrast is measured from the stylesheet itself, by day and by night."""

from __future__ import annotations

import re

import pytest

from heraldry import COLOURS, METALS, TINCTURES
from tests.pages.css import STATIC, block, contrast, dark, light, tokens, without_comments

THEMES = {"light": light(), "dark": dark()}
GROUNDS = ("paper", "raised", "sunk")

# (text, ground): what components.css writes on what. Text needs 4.5.
TEXT = [
    *[(text, ground) for text in ("ink", "ink-2", "rubric", "bad") for ground in GROUNDS],
    *[(text, ground) for text in ("gilt", "good") for ground in ("paper", "raised")],
    ("on-press", "press"),
    ("paper", "ink"),  # toasts, the chosen segment
    ("paper", "good"),  # the A that counts
    *[("ink", f"{row.key}-wash") for row in TINCTURES],
]
# Borders of controls, focus and charges on shields need 3.0.
SHAPES = [
    ("line", "raised"),
    ("line", "paper"),
    ("gilt", "paper"),
    ("gilt", "raised"),
    *[("argent", colour) for colour in COLOURS],
]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("text", "ground"), TEXT)
def test_text_contrast(theme, text, ground):
    values = THEMES[theme]
    assert contrast(values[f"--{text}"], values[f"--{ground}"]) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("shape", "ground"), SHAPES)
def test_shape_contrast(theme, shape, ground):
    values = THEMES[theme]
    assert contrast(values[f"--{shape}"], values[f"--{ground}"]) >= 3.0


@pytest.mark.parametrize("theme", THEMES)
def test_metals_and_colours_contrast_in_both_themes(theme):
    """Or is the darker metal: it has to differ from every colour enough to carry a hatched charge."""
    values = THEMES[theme]
    for metal in METALS:
        for colour in COLOURS:
            assert contrast(values[f"--{metal}"], values[f"--{colour}"]) >= 2.0, (metal, colour)


def test_the_two_dark_blocks_are_equal():
    system = block(tokens(), ':root:not([data-theme="light"])')
    chosen = block(tokens(), ':root[data-theme="dark"]')
    assert system == chosen
    assert len(chosen) > 30


def test_dark_theme_redefines_every_colour():
    """Every colour of the light block has its own value by night; only the lengths and type are shared."""
    coloured = {name for name, value in light().items() if value.startswith(("#", "rgb"))}
    assert coloured <= set(block(tokens(), ':root[data-theme="dark"]'))


def test_contrast_ratios_in_comments_are_correct():
    """ "14.8 on paper" in tokens.css is true to a tenth."""
    checked = 0
    for name, value, comment in re.findall(
        r"^\s{2}--([a-z0-9-]+): (#[0-9a-f]{6});\s*/\*(.*?)\*/", tokens(), flags=re.MULTILINE
    ):
        theme = light() if light()[f"--{name}"] == value else dark()
        for stated, ground in re.findall(r"(\d+\.\d) (?:on )?(paper|raised|sunk)\b", comment):
            assert abs(contrast(value, theme[f"--{ground}"]) - float(stated)) < 0.11, (name, ground)
            checked += 1
    assert checked >= 20


def test_downloaded_arms_use_the_colours_of_the_page():
    for row in TINCTURES:
        assert light()[f"--{row.key}"] == row.paint


def test_every_custom_property_used_is_set_somewhere():
    css = without_comments(
        tokens() + (STATIC / "css" / "components.css").read_text() + (STATIC / "css" / "percent.css").read_text()
    )
    used = set(re.findall(r"var\((--[a-z0-9-]+)", css))
    known = set(re.findall(r"(--[a-z0-9-]+)\s*:", css))
    assert used <= known


def test_percent_classes_go_from_0_to_100():
    css = (STATIC / "css" / "percent.css").read_text()
    assert re.findall(r"\.p-(\d+) \{ --p: \1; --w: \1%; --at: \1%; \}", css) == [str(n) for n in range(101)]


def test_nothing_is_fetched_from_elsewhere():
    for path in [*STATIC.rglob("*.css"), *STATIC.rglob("*.js")]:
        text = path.read_text()
        assert not re.search(r"@import|url\(\s*[\"']?(https?:)?//", text), path
        assert "https://" not in text.replace("https://www.w3.org", ""), path


def test_reduced_motion_and_print_styles_exist():
    css = (STATIC / "css" / "components.css").read_text()
    assert "prefers-reduced-motion: reduce" in css
    assert "@media print" in css


def test_every_class_of_the_stylesheets_is_used_somewhere():
    """By its name, or by the stem that a template or a drawing puts the rest to: ``span-{{ row.width }}``."""
    root = STATIC.parent
    folders = sorted(path.parent for path in root.glob("*/__init__.py") if path.parent.name not in ("tests", "bench"))
    files = [path for folder in (*folders, root / "templates", STATIC / "js") for path in folder.rglob("*.*")]
    sources = "\n".join(path.read_text() for path in files if path.suffix in (".py", ".html", ".js", ".svg"))
    words = set(re.findall(r"[a-zA-Z][\w-]*", sources))
    stems = tuple(set(re.findall(r"([a-zA-Z][\w-]*-|\bb|\bo|\bp-)(?:\{|\$\{)", sources)))
    css = "".join(
        re.sub(r"\{[^{}]*\}", "{}", without_comments(path.read_text())) for path in (STATIC / "css").glob("*.css")
    )
    from_packages = {"htmx-request", "errorlist", "response-col_links"}  # what htmx, Django and Swagger UI write
    classes = set(re.findall(r"\.([a-zA-Z][\w-]*)", css)) - from_packages
    assert sorted(name for name in classes - words if not name.startswith(stems)) == []
