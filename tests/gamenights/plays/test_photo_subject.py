"""Photos of a play: who adds, sees, reports, removes and decides; files, backup, my data, forget me."""

from __future__ import annotations

import datetime as dt
import io
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from groups import services as groups_services
from groups.models import Member
from jobs.registry import JobContext
from ops.backup import write_backup
from people import privacy
from people.requester import Who
from photos import pictures, services
from photos.models import Photo, photos_folder
from refusal import Refusal
from tests.gamenights.plays.sample_plays import log_sample_play
from tests.photos.sample_photos import (
    add_drawn_photo,
    draw_waiting_photos,
    jpeg,
    progressive_jpeg,
    sideways_jpeg_with_metadata,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def own_folder(tmp_path, settings):
    settings.MEDIA_ROOT = tmp_path / "files"


@pytest.fixture
def play(group, master, player):
    return log_sample_play(group, Who.of(master), [(master, "31"), (player, "27")])


def add(play, person, key="a-photo-of-it", raw=b""):
    return add_drawn_photo(play, Who.of(person), key=key, raw=raw)


def send(client, play, raw, name="photo.jpg", key="sent-by-a-form"):
    url = reverse("gamenights:add_photo", args=[play.group.code, play.uuid])
    answer = client.post(url, {"key": key, "photo": SimpleUploadedFile(name, raw)}, follow=True)
    draw_waiting_photos()
    return answer


def test_player_adds_a_photo_and_the_members_see_it(play, player, other_player, stranger):
    page = send(player.client, play, jpeg(900, 600))
    photo = Photo.objects.get()
    assert "Preparing your photo" in page.text
    assert photo.small_url in player.client.get(play.get_absolute_url()).text
    for url in (photo.url, photo.small_url):
        answer = other_player.client.get(url)
        assert answer.status_code == 200
        assert answer["Content-Type"] == "image/jpeg"
        assert answer["Cache-Control"] == "private, no-cache"
        assert other_player.client.get(url, headers={"If-None-Match": answer["ETag"]}).status_code == 304
        assert stranger.client.get(url).status_code == 404
    assert send(stranger.client, play, jpeg()).status_code == 404


def test_same_form_twice_adds_one_photo(play, player):
    for _ in range(2):
        send(player.client, play, jpeg())
    assert Photo.objects.count() == 1
    assert len(list(photos_folder().iterdir())) == 2


def test_bad_photo_is_refused_on_the_page(play, player):
    answer = send(player.client, play, b"no photo")
    assert answer.status_code == 422
    assert "This file is not a photo" in answer.content.decode()
    assert send(player.client, play, b"").status_code == 422
    assert send(player.client, play, b"x" * (17 * 1024 * 1024)).status_code == 413
    assert not Photo.objects.exists()
    assert not photos_folder().exists()


def test_ninth_photo_is_refused(play, player):
    for number in range(services.MAX_PER_SUBJECT):
        add(play, player, key=f"photo-number-{number}")
    with pytest.raises(Refusal, match="already 8 photos"):
        add(play, player, key="photo-number-nine")
    assert len(list(photos_folder().iterdir())) == 16


def test_person_adds_a_limited_number_a_day(play, player, monkeypatch):
    monkeypatch.setattr(services, "MAX_PER_DAY", 1)
    add(play, player)
    with pytest.raises(Refusal, match="today"):
        add(play, player, key="one-too-many")


def test_removing_photos_makes_no_room_for_more_on_the_same_day(play, player, monkeypatch):
    """Each is work, kept or not."""
    monkeypatch.setattr(services, "MAX_PER_DAY", 2)
    for number in range(2):
        services.remove_photo(add(play, player, key=f"photo-number-{number}"), Who.of(player))
    with pytest.raises(Refusal, match="today"):
        add(play, player, key="photo-number-three")


def test_limits_are_checked_before_the_file_is_read(play, player, monkeypatch):
    monkeypatch.setattr(services, "MAX_PER_DAY", 0)
    monkeypatch.setattr(services, "check_photo", lambda raw: pytest.fail("the file was read"))
    assert send(player.client, play, jpeg()).status_code == 429
    assert not photos_folder().exists()


def test_request_never_decodes_a_photo(play, player, monkeypatch):
    monkeypatch.setattr(pictures.Image, "open", lambda *_, **__: pytest.fail("it was decoded"))
    url = reverse("gamenights:add_photo", args=[play.group.code, play.uuid])
    sent = {"key": "sent-by-a-form", "photo": SimpleUploadedFile("a.jpg", jpeg())}
    assert player.client.post(url, sent).status_code == 302
    bomb = {"key": "sent-by-another", "photo": SimpleUploadedFile("a.jpg", progressive_jpeg(4000, 3000, 1000))}
    answer = player.client.post(url, bomb)
    assert answer.status_code == 422
    assert "takes too long to read" in answer.text


def test_photo_is_its_senders_alone_until_it_is_drawn(play, player, other_player, master):
    """The file as it was sent knows where it was taken: nobody gets it, and it goes when the photo is drawn."""
    sent = sideways_jpeg_with_metadata()
    photo = services.add_photo(play, Who.of(player), key="a-photo-of-it", file=io.BytesIO(sent))
    assert b"SECRETMAKER" in photo.waiting_path.read_bytes()
    assert photo.waiting_path.stat().st_mode & 0o077 == 0
    assert "Preparing your photo" in player.client.get(play.get_absolute_url()).text
    status = reverse("photos:photo_status", args=[photo.code])
    assert "Preparing your photo" in player.client.get(status).text
    for other in (other_player, master):
        assert "Preparing your photo" not in other.client.get(play.get_absolute_url()).text
        assert other.client.get(status).status_code == 404
    for address in (photo.url, photo.small_url):
        assert player.client.get(address).status_code == 404
        assert other_player.client.get(address).status_code == 404
    draw_waiting_photos()
    shown = player.client.get(status).text
    assert photo.small_url in shown
    assert "hx-get" not in shown
    assert b"SECRET" not in other_player.client.get(photo.url).getvalue()
    assert set(photos_folder().iterdir()) == {photo.path, photo.small_path}


def test_photo_that_cannot_be_read_says_so_to_its_sender_and_takes_no_room(
    play, player, other_player, django_capture_on_commit_callbacks
):
    photo = add(play, player, raw=jpeg(400, 300)[:2000])
    page = player.client.get(play.get_absolute_url()).text
    assert "This photo was not added. This photo is damaged or incomplete." in page
    assert "was not added" not in other_player.client.get(play.get_absolute_url()).text
    assert not photo.waiting_path.exists()
    for number in range(services.MAX_PER_SUBJECT):
        add(play, player, key=f"photo-number-{number}")
    with django_capture_on_commit_callbacks(execute=True):
        services.delete_stray_photos(timezone.now() + dt.timedelta(days=2))
    assert not Photo.objects.filter(pk=photo.pk).exists()
    assert Photo.objects.count() == services.MAX_PER_SUBJECT


def test_photo_removed_while_it_is_drawn_leaves_nothing(play, player, django_capture_on_commit_callbacks):
    photo = services.add_photo(play, Who.of(player), key="a-photo-of-it", file=io.BytesIO(jpeg()))
    job = photo.job
    job.result = services.draw_photo(JobContext(job.args, lambda *_: None, photos_folder())).facts
    with django_capture_on_commit_callbacks(execute=True):
        services.remove_photo(photo, Who.of(player))
    services.show_drawn_photo(job)
    assert list(photos_folder().iterdir()) == []
    with pytest.raises(Refusal, match="deleted"):
        services.draw_photo(JobContext(job.args, lambda *_: None, photos_folder()))


def test_only_those_who_can_edit_the_play_add_photos(play, group, other_player):
    group.edits = "hosts"
    group.save()
    play.refresh_from_db()
    with pytest.raises(Refusal) as refused:
        add(play, other_player)
    assert refused.value.status == 403


def test_adder_and_hosts_remove_a_photo(play, player, other_player, master):
    first, second = add(play, player), add(play, player, key="another-photo")
    url = reverse("photos:manage_photo", args=[first.code])
    assert other_player.client.post(url, {"act": "remove"}).status_code == 403
    player.client.post(url, {"act": "remove"})
    assert not Photo.objects.filter(pk=first.pk).exists()
    services.remove_photo(second, Who.of(master))
    assert not Photo.objects.exists()


def test_files_go_with_the_photo(play, player, django_capture_on_commit_callbacks):
    photo = add(play, player)
    with django_capture_on_commit_callbacks(execute=True):
        services.remove_photo(photo, Who.of(player))
    assert list(photos_folder().iterdir()) == []


def test_reported_photo_is_hidden_until_a_host_decides(play, player, other_player, make_person, master):
    third = make_person("Bryony")
    groups_services.add_member(play.group, third)
    photo = add(play, player)
    url = reverse("photos:manage_photo", args=[photo.code])
    other_player.client.post(url, {"act": "report", "reason": "I look asleep"})
    assert other_player.client.get(photo.url).status_code == 404
    assert third.client.get(photo.url).status_code == 404
    assert photo.small_url not in third.client.get(play.get_absolute_url()).content.decode()
    assert player.client.get(photo.url).status_code == 200
    assert "I look asleep" not in player.client.get(play.get_absolute_url()).content.decode()
    page = master.client.get(play.get_absolute_url()).content.decode()
    assert "I look asleep" in page
    assert "Keep the photo" in page
    assert "A reported photo" in master.client.get("/").content.decode()
    assert "A reported photo" not in player.client.get("/").content.decode()
    assert player.client.post(url, {"act": "keep"}).status_code == 403
    master.client.post(url, {"act": "keep"})
    assert third.client.get(photo.url).status_code == 200
    assert other_player.client.post(url, {"act": "report"}).status_code == 409


def test_former_member_no_longer_sees_the_groups_photos(play, player, other_player):
    photo = add(play, player)
    Member.objects.filter(person=other_player).delete()
    assert other_player.client.get(photo.url).status_code == 404


@pytest.mark.django_db(transaction=True)
def test_photos_are_in_backups(play, player, tmp_path):
    photo = add(play, player)
    write_backup(tmp_path / "copy.zip")
    with zipfile.ZipFile(tmp_path / "copy.zip") as archive:
        names = archive.namelist()
        assert archive.read(f"files/photos/{photo.code}.jpg") == photo.path.read_bytes()
    assert f"files/photos/{photo.code}-small.jpg" in names
    assert "rows/photos.photo.jsonl" in names


def test_my_data_lists_photos_and_forget_me_deletes_them(
    play, player, other_player, django_capture_on_commit_callbacks
):
    photo = add(play, player)
    theirs = add(play, other_player, key="of-someone-else")
    services.report_photo(theirs, Who.of(player))
    [row] = privacy.export_my_data(player)["photos"]
    assert row["address"].endswith(photo.url)
    with django_capture_on_commit_callbacks(execute=True):
        privacy.forget_person(player, by=Who.of(player))
    assert not photo.path.exists()
    assert not photo.small_path.exists()
    assert list(Photo.objects.values_list("pk", "reported_by")) == [(theirs.pk, None)]


def test_clean_up_deletes_photos_of_what_is_gone(play, player, django_capture_on_commit_callbacks):
    photo = add(play, player)
    stray = photos_folder() / "nobody.jpg"
    stray.write_bytes(b"x")
    later = timezone.now() + dt.timedelta(hours=2)
    assert services.delete_stray_photos(later) == 1
    assert photo.path.exists()
    assert not stray.exists()
    play.delete()
    with django_capture_on_commit_callbacks(execute=True):
        assert services.delete_stray_photos(later) == 1
    assert not photo.path.exists()


def test_lost_file_is_not_found(play, player):
    photo = add(play, player)
    photo.path.unlink()
    assert player.client.get(photo.url).status_code == 404


def test_photos_are_in_the_recap_of_those_who_may_open_them(group, night, master, player, stranger):
    play = log_sample_play(group, Who.of(master), [(master, "31"), (player, "27")], night=night)
    photo, hidden = add(play, player), add(play, player, key="another-photo")
    services.report_photo(hidden, Who.of(master))
    recap = night.get_absolute_url() + "recap/"
    page = master.client.get(recap).text
    assert photo.small_url in page
    assert hidden.small_url not in page
    assert stranger.client.get(recap).url == night.get_absolute_url(), "the code alone shows no results"


def test_photos_are_in_the_export(group, play, master, player, stranger):
    photo, hidden = add(play, player), add(play, player, key="another-photo")
    services.report_photo(hidden, Who.of(master))
    url = f"/groups/{group.code}/plays/export/photos/"
    answer = player.client.get(url)
    assert answer["Content-Disposition"].endswith('.zip"')
    with zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))) as archive:
        names = archive.namelist()
        assert len(names) == 2
        assert names[0] == "plays.json"
        assert archive.read(names[1]) == photo.path.read_bytes()
    assert stranger.client.get(url).status_code == 404
