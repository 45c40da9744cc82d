"""The functions of the look: names, times, terms, codes."""

from __future__ import annotations

import zoneinfo
from datetime import UTC, date, datetime

import pytest
import zxingcpp
from django.template import engines
from django.test import RequestFactory
from django.utils import timezone
from hypothesis import given, strategies as st

from pages.template_functions import MAX_SHOWN, plain, qr, shown, versal, when
from rulebook.data.rule_texts import GLOSSARY

MAY = datetime(2021, 5, 14, 17, 30, tzinfo=UTC)


def drawn(template: str, **context: object) -> str:
    """As on a page."""
    return engines["jinja2"].env.from_string(template).render({"request": RequestFactory().get("/"), **context})


# ── Names ──


def test_short_name_is_isolated():
    assert shown("Wren") == "<bdi>Wren</bdi>"


def test_markup_in_a_name_is_escaped():
    assert shown("<b>Wren</b>") == "<bdi>&lt;b&gt;Wren&lt;/b&gt;</bdi>"


def test_long_name_is_cut_with_full_title():
    name = "w" * 200
    assert shown(name) == f'<bdi title="{name}">{"w" * 79}…</bdi>'


@given(st.text(max_size=200))
def test_never_more_than_eighty_characters_are_shown(name):
    inside = plain(name)
    assert inside.startswith("\u2068")
    assert inside.endswith("\u2069")
    assert len(inside) - 2 <= MAX_SHOWN


def test_cut_does_not_split_emoji_or_accents():
    family = "\U0001f469\u200d\U0001f469\u200d\U0001f467"
    for before in range(60, 80):
        cut = plain("x" * before + family * 20).strip("\u2068\u2069…")
        assert not cut.endswith("\u200d")
    for before in range(60, 80):
        cut = plain("x" * before + "e\u0301" * 40).strip("\u2068\u2069…")
        assert cut.endswith("\u0301") or cut.endswith("x") or (len(cut) - before) % 2 == 0


# ── Times ──


def test_time_is_shown_in_the_viewers_zone():
    with timezone.override(zoneinfo.ZoneInfo("Europe/Berlin")):
        html = when(MAY)
    assert html == '<time datetime="2021-05-14T17:30:00Z" data-when="full">Friday 14 May 2021, 19:30</time>'


def test_time_without_a_zone_says_utc():
    with timezone.override("UTC"):
        assert when(MAY, "time") == '<time datetime="2021-05-14T17:30:00Z" data-when="time">17:30 UTC</time>'
        assert "UTC" not in when(MAY, "date")


def test_year_is_shown_only_if_it_is_not_this_year():
    this_year = timezone.now().replace(month=3, day=2, hour=12)
    assert str(this_year.year) not in when(this_year, "full").split(">", 1)[1]
    assert "2021" in when(MAY, "full").split(">", 1)[1]


def test_a_day_has_no_zone():
    with timezone.override(zoneinfo.ZoneInfo("Pacific/Kiritimati")):
        assert when(date(2021, 5, 14), "date") == '<time datetime="2021-05-14">14 May 2021</time>'


def test_missing_time_draws_nothing():
    assert when(None) == ""


def test_unknown_time_style_raises():
    with pytest.raises(ValueError):
        when(MAY, "roughly")


# ── Terms ──


@pytest.mark.parametrize("row", GLOSSARY, ids=lambda row: row.key)
def test_every_glossary_word_is_a_term(row):
    html = drawn("{{ term(key) }}", key=row.key)
    assert 'type="button"' in html
    assert "popovertarget=" in html


@pytest.mark.parametrize("word", ["Q", "SQ", "AC", "[A]", "[D]", "A", "D", "loyalty", "fealty"])
def test_terms_of_the_home_page_exist(word):
    assert f">{word}</button>" in drawn("{{ term(word) }}", word=word)


def test_repeated_term_has_its_own_popover():
    html = drawn(
        '{{ term("AC") }}{{ term("AC") }}{% for n in "ab" %}{% include inside %}{% endfor %}',
        inside=engines["jinja2"].env.from_string('{{ term("Q") }}'),
    )
    ids = [part.split('"')[0] for part in html.split(' id="')[1:]]
    assert len(ids) == len(set(ids)) == 4


def test_unknown_term_raises():
    with pytest.raises(ValueError):
        drawn('{{ term("wombat") }}')


# ── Heads ──


@pytest.mark.parametrize(
    ("title", "letter"),
    [
        ("The War of the Four Hedges", "W"),
        ("Battle of Burdock", "B"),
        ("<bdi>oakhold</bdi>", "O"),
        ("Theodora", "T"),
        ("ßharp", "ß"),
        ("3 mice", "M"),
        ("Émile", "É"),
        ("מלך", "מ"),
    ],
)
def test_versal_skips_articles(title, letter):
    assert f"<span>{letter}</span>" in versal(title)


def test_versal_without_letters_is_a_mouse():
    assert "c-mouse-head" in versal("🐭 42")


def test_unknown_icon_raises():
    with pytest.raises(ValueError):
        drawn('{{ icon("c-wombat") }}')


# ── Codes ──


@pytest.mark.parametrize("address", ["https://mice.example/i/abc", "http://192.168.1.20:8000/p/" + "x" * 60])
def test_qr_code_can_be_scanned(address, tmp_path):
    """Drawn from the very path in the page, then read by a decoder."""
    import re

    from PIL import Image, ImageDraw

    svg = qr(address, label="Opens it.")
    side = int(re.search(r'viewBox="0 0 (\d+) \1"', svg)[1])
    picture = Image.new("L", (side * 6, side * 6), 255)
    pen = ImageDraw.Draw(picture)
    for x, y, width in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\d+z", svg):
        pen.rectangle([int(x) * 6, int(y) * 6, (int(x) + int(width)) * 6 - 1, int(y) * 6 + 5], fill=0)
    barcodes = zxingcpp.read_barcodes(picture)
    assert [code.text for code in barcodes] == [address]


def test_qr_label_is_escaped():
    assert "<script" not in qr("https://mice.example/", label="<script>")


# ── POST forms ──

TOKEN = '<input type="hidden" name="csrfmiddlewaretoken" value="abc">'


def test_post_fields_without_arguments_are_the_csrf_token_alone():
    assert drawn("{{ post_fields() }}", csrf_token="abc") == TOKEN


def test_post_fields_join_the_parts_of_the_key():
    fields = drawn('{{ post_fields(key, "over", number) }}', csrf_token="abc", key="k1", number=4)
    assert fields == TOKEN + '<input type="hidden" name="key" value="k1-over-4">'


def test_post_fields_hide_further_values_after_the_key_and_leave_out_none():
    fields = drawn('{{ post_fields(key, kind="did", unit=7, target=none, then="") }}', csrf_token="abc", key="k1")
    named = ("key", "k1"), ("kind", "did"), ("unit", "7"), ("then", "")
    assert fields == TOKEN + "".join(f'<input type="hidden" name="{name}" value="{value}">' for name, value in named)


def test_post_fields_escape_once():
    fields = drawn("{{ post_fields(key, unit=name) }}", csrf_token="abc", key='"<', name="Wren & <b>")
    assert 'name="key" value="&quot;&lt;"' in fields
    assert 'name="unit" value="Wren &amp; &lt;b&gt;"' in fields
