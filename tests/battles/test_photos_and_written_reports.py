"""Written reports and photos of a battle: on its page, in the chronicle, in files, for those who may."""

from __future__ import annotations

import io
import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from PIL import Image

from battles.models import Battle
from campaign import selectors as campaign_selectors, services as campaign_services
from campaign.chronicle.codec import read_sent
from people.requester import Who
from photos.models import Photo
from tests.battles.sample_campaigns import a_campaign, fresh
from tests.photos.sample_photos import draw_waiting_photos

PAGE_REFUSED = 422


def jpeg(size: tuple[int, int] = (60, 40)) -> bytes:
    made = io.BytesIO()
    Image.new("RGB", size, "red").save(made, "JPEG")
    return made.getvalue()


@pytest.fixture
def battle(master, player, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    campaign = a_campaign(master, [master, player])
    body = {"attacker": "k1", "target": "k2.border_1", "outcome": "attacker"}
    campaign_services.write(campaign, Who.of(master), key="fight-it-out", act=read_sent("result", body))
    master.client.get(f"/battles/of/{campaign.code}/1/")
    return Battle.objects.get(campaign=campaign, number=1)


def send(client, battle: Battle, data: bytes, key: str = "one-photo-key", name: str = "a.jpg"):
    return client.post(
        f"/battles/{battle.code}/photos/", {"key": key, "photo": SimpleUploadedFile(name, data)}, follow=False
    )


def test_written_report_is_on_the_battles_page_and_in_the_chronicle_and_can_be_amended(
    battle, player, master, stranger
):
    address = f"/battles/{battle.code}/written/"
    text = "The <b>Cat</b> fled.\r\n\r\nWe cheered."
    sent = {"key": "one-report-key", "text": text}
    assert player.client.post(address, sent).status_code == 302
    assert player.client.post(address, sent).status_code == 302, "a second tap is answered"
    for page in (battle.get_absolute_url(), battle.campaign.get_absolute_url()):
        shown = player.client.get(page).content.decode()
        assert shown.count("The &lt;b&gt;Cat&lt;/b&gt; fled.\n\nWe cheered.") == 1
    assert "Battle 1: The &lt;b&gt;" in shown
    assert "The &lt;b&gt;Cat" in player.client.get(f"{battle.campaign.get_absolute_url()}?show=notes").content.decode()
    assert stranger.client.post(address, sent | {"key": "another-key-x"}).status_code == 404
    assert player.client.post(address, {"key": "an-empty-one-x", "text": " "}).status_code == PAGE_REFUSED
    assert player.client.post(address, {"key": "a-long-one-xx", "text": "x" * 2001}).status_code == PAGE_REFUSED
    number = fresh(battle.campaign).log.length
    seen = campaign_services.preview_correction(campaign_selectors.entries_of(fresh(battle.campaign)), "strike", number)
    campaign_services.write_correction(
        fresh(battle.campaign),
        Who.of(master),
        key="strike-it-now",
        kind="strike",
        target=number,
        why="Too long.",
        digest=seen.digest,
    )
    assert "We cheered" not in player.client.get(battle.get_absolute_url()).content.decode()


def test_report_of_a_battle_that_never_was_is_refused(battle, master):
    with pytest.raises(Exception, match="There is no battle 9"):
        campaign_services.add_note(fresh(battle.campaign), Who.of(master), key="no-such-battle", text="Hm.", battle=9)


def test_written_report_is_exported(battle, player, master):
    player.client.post(f"/battles/{battle.code}/written/", {"key": "one-report-key", "text": "It rained."})
    here = battle.campaign.get_absolute_url()
    held = json.loads(master.client.get(f"{here}export/campaign.json").content)
    assert "It rained." in json.dumps(held)


def test_photo_shows_on_the_battle_and_in_the_chronicle_until_it_is_reported(battle, player, master, stranger):
    assert send(player.client, battle, jpeg()).status_code == 302
    assert send(player.client, battle, jpeg()).status_code == 302
    photo = Photo.objects.get()
    draw_waiting_photos()
    for page in (battle.get_absolute_url(), battle.campaign.get_absolute_url()):
        assert photo.small_url in master.client.get(page).content.decode()
    assert stranger.client.get(photo.url).status_code == 404
    assert send(stranger.client, battle, jpeg(), key="another-key-x").status_code == 404
    master.client.post(reverse("photos:manage_photo", args=[photo.code]), {"act": "report"})
    assert photo.small_url not in player.client.get(battle.campaign.get_absolute_url()).content.decode()

    assert master.client.post(reverse("photos:manage_photo", args=[photo.code]), {"act": "remove"}).status_code == 302
    assert not Photo.objects.exists()


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"", "empty.jpg"),
        (jpeg()[:200], "truncated.jpg"),
        (b"<script>alert(1)</script>", "page.jpg"),
        (b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic", "phone.heic"),
        (b"GIF89a" + b"\x00" * 40, "polyglot.jpg"),
    ],
    ids=["empty", "truncated", "page", "heic", "polyglot"],
)
def test_bad_photo_is_refused_with_a_sentence(battle, player, data, name):
    answer = send(player.client, battle, data, name=name)
    assert answer.status_code == PAGE_REFUSED
    assert not Photo.objects.exists()
