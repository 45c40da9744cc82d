"""After a claim, a merge, a new account or a new password, nobody from before can still act as this person.

Every credential is tried after every event. A new kind of credential fails the tests at the end until it is listed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.conf import settings
from django.http import Http404
from django.test import Client

from campaign.founding.services import found_campaign
from campaign.invitations.services import create_invitation
from cardgames.models import Seat
from gamenights.nights import calendar_feeds
from groups import services as groups_services
from groups.entries import FoundGroup
from groups.services import found_group
from log.services import new_key
from people import guests as guests_services, merging, privacy
from people.models import ApiToken, LogIn, Pass, Person, PersonalLink, Secret
from people.passes import services, services as passes_services, sign_up_claim_and_reset_links
from people.requester import Who
from tests.api_client import Api
from tests.cardgames.tables.sample_tables import open_sample_table, seat_url, sit
from tests.people.conftest import PASSWORD, get_known_name, log_in, open_pass, open_personal_link

NEW_PASSWORD = "thistles and rye"

Works = Callable[[], bool]


@pytest.fixture
def scene(master, player, other_player, owner, wrens_guest, settings) -> SimpleNamespace:
    """Wren looks after Pip and misuses it. Tam is whoever Pip really is; Oda has an account and invited nobody."""
    settings.EMAIL_HOST = "mail.example.org"
    return SimpleNamespace(keeper=master, tam=player, oda=other_player, owner=owner, pip=wrens_guest)


def mouse_of(scene: SimpleNamespace, before: str) -> Person:
    return Person.objects.get(pk=(scene.pip if before == "guest" else scene.oda).pk)


# ── Credentials: each is made before the event and says afterwards whether it still works ────────────────


def can_open(link: PersonalLink) -> bool:
    phone = Client()
    phone.get(link.get_absolute_url())
    return phone.post("/p/").status_code == 302 and get_known_name(phone) is not None


def can_accept(row: Pass) -> bool:
    return Client().get(row.get_absolute_url(), follow=True).status_code == 200


def log_in_by_link(scene, mouse) -> Works:
    phone = Client()
    open_personal_link(phone, make_link(scene, mouse))
    return lambda: get_known_name(phone) is not None


def make_link(scene, mouse) -> PersonalLink:
    """Made by whoever can: the keeper of a guest, or the person with an account."""
    if not mouse.has_account:
        return services.issue_link(mouse, by=Who.of(scene.keeper))
    scene.oda.client.post("/me/link/")
    return PersonalLink.objects.get(person=mouse)


def keepers_link(scene, mouse) -> Works:
    link = make_link(scene, mouse)
    return lambda: can_open(link)


def link_made_as_them(scene, mouse) -> Works:
    """The keeper logs in as the guest and makes a link there, so that it looks like the guest's own."""
    phone = Client()
    open_personal_link(phone, make_link(scene, mouse))
    if not mouse.has_account:
        phone.post("/me/link/")
    link = PersonalLink.objects.get(person=mouse)
    return lambda: can_open(link) or get_known_name(phone) is not None


def link_opened_but_not_confirmed(scene, mouse) -> Works:
    phone = Client()
    phone.get(make_link(scene, mouse).get_absolute_url())
    return lambda: phone.post("/p/").status_code == 302 and get_known_name(phone) is not None


def log_in_by_password(scene, mouse) -> Works:
    phone = Client()
    log_in(phone, "oda")
    return lambda: get_known_name(phone) is not None


def api_token_by_password(scene, mouse) -> Works:
    token = Api.log_in(name="oda", password=PASSWORD)
    return lambda: token.get("me/").status_code == 200


def api_token_by_link(scene, mouse) -> Works:
    token = Api.log_in(personal_link=make_link(scene, mouse).get_absolute_url())
    return lambda: token.get("me/").status_code == 200


def claim_link(scene, mouse) -> Works:
    row = sign_up_claim_and_reset_links.create_claim_link(Who.of(scene.keeper), mouse)
    return lambda: can_accept(row)


def takeover_link(scene, mouse) -> Works:
    row = sign_up_claim_and_reset_links.create_takeover_link(Who.of(scene.keeper), mouse)
    return lambda: can_accept(row)


def reset_link(scene, mouse) -> Works:
    row = sign_up_claim_and_reset_links.create_reset_link(None, mouse)
    return lambda: can_accept(row)


def reset_link_opened_already(scene, mouse) -> Works:
    phone = Client()
    page = open_pass(phone, sign_up_claim_and_reset_links.create_reset_link(None, mouse))
    return lambda: phone.post(page, {"password": "a third one now"}).status_code == 302


def claim_link_for_their_guest(scene, mouse) -> Works:
    theirs = guests_services.add_guest(Who.of(mouse), "Squeak")
    row = sign_up_claim_and_reset_links.create_claim_link(Who.of(mouse), theirs)
    return lambda: can_accept(row)


def takeover_link_for_their_guest(scene, mouse) -> Works:
    theirs = guests_services.add_guest(Who.of(mouse), "Squeak")
    row = sign_up_claim_and_reset_links.create_takeover_link(Who.of(mouse), theirs)
    return lambda: can_accept(row)


def invitation_they_made(scene, mouse) -> Works:
    row = passes_services.create_pass(sign_up_claim_and_reset_links.SIGN_UP, None, by=Who.of(mouse))
    return lambda: can_accept(row)


def campaign_invitation_they_made(scene, mouse) -> Works:
    campaign = found_campaign(Who.of(mouse), key=new_key(), name="The War of the Cheese")
    row = create_invitation(campaign, Who.of(mouse), label="everybody")
    return lambda: can_accept(row)


def group_invitation_they_made(scene, mouse) -> Works:
    group = found_group(Who.of(mouse), new_key(), FoundGroup(name="The Cellar"))
    row = groups_services.create_invitation(group, Who.of(mouse))
    return lambda: can_accept(row)


def seat_on_another_phone(scene, mouse) -> Works:
    phone, table = Client(), open_sample_table(scene.keeper)
    sit(phone, table, 0, "Someone")
    Seat.objects.filter(table=table, number=0).update(person=mouse)
    return lambda: phone.post(seat_url(table, 0, "show/")).status_code == 302


def link_that_moves_their_seat(scene, mouse) -> Works:
    table = open_sample_table(scene.keeper)
    sit(Client(), table, 0, "Someone")
    Seat.objects.filter(table=table, number=0).update(person=mouse)
    scene.keeper.client.post(seat_url(table, 0, "link/"))
    row = Pass.objects.open().get(kind=Seat.PASS)
    return lambda: can_accept(row)


def keepers_permission_to_reset(scene, mouse) -> Works:
    """Whoever looks after somebody can give them a link to a new password, and so log in as them."""
    if mouse.has_account:
        Person.objects.filter(pk=mouse.pk).update(keeper=scene.keeper)
    return lambda: scene.keeper.client.post(f"/people/{mouse.code}/reset/").status_code == 302


@dataclass(frozen=True)
class Credential:
    make: Callable[..., Works]
    of: str = "everyone"  # or "guest" or "account": who can have one
    kind: str = ""  # the kind of pass

    def __str__(self) -> str:
        return self.make.__name__


CREDENTIALS = [
    Credential(log_in_by_link),
    Credential(keepers_link),
    Credential(link_made_as_them),
    Credential(link_opened_but_not_confirmed),
    Credential(log_in_by_password, "account"),
    Credential(api_token_by_password, "account"),
    Credential(api_token_by_link),
    Credential(claim_link, "guest", kind="claim"),
    Credential(takeover_link, "guest", kind="hand_on"),
    Credential(reset_link, "account", kind="reset"),
    Credential(reset_link_opened_already, "account", kind="reset"),
    Credential(claim_link_for_their_guest, kind="claim"),
    Credential(takeover_link_for_their_guest, kind="hand_on"),
    Credential(invitation_they_made, kind="sign_up"),
    Credential(campaign_invitation_they_made, kind="join_campaign"),
    Credential(group_invitation_they_made, kind="join_group"),
    Credential(seat_on_another_phone, kind="seat"),
    Credential(link_that_moves_their_seat, kind="seat"),
    Credential(keepers_permission_to_reset),
]

# These open one game, never a person: they work for whoever holds the paper or the phone, and end with the game.
PASSES_OF_A_GAME = {"battle_report", "battle_keep", "watch_table", "card_sheet", "card_sheet_keeper", "card_role"}


# ── Events: each returns the browser in which it was done, which stays logged in ─────────────────────────


def claim_with_a_new_account(scene, mouse) -> Client:
    row = sign_up_claim_and_reset_links.create_claim_link(Who.of(scene.keeper), mouse)
    phone = Client()
    assert phone.post(open_pass(phone, row), {"name": "Pip", "password": PASSWORD}).status_code == 302
    return phone


def claim_with_an_account(scene, mouse) -> Client:
    row = sign_up_claim_and_reset_links.create_claim_link(Who.of(scene.keeper), mouse)
    assert scene.tam.client.post(open_pass(scene.tam.client, row)).status_code == 302
    return scene.tam.client


def merge_into_an_account(scene, mouse) -> Client:
    merging.merge_people(mouse, into=scene.tam, by=Who.of(scene.owner))
    return scene.tam.client


def merge_into_a_guest(scene, mouse) -> Client:
    into = guests_services.add_guest(Who.of(scene.keeper), "Pippin")
    answer = scene.keeper.client.post(f"/people/{mouse.code}/merge/", {"into": into.code})
    assert answer.status_code == 302
    return scene.keeper.client


def merge_a_guest_into_them(scene, mouse) -> Client:
    one = guests_services.add_guest(Who.of(scene.keeper), "Pippin")
    assert scene.keeper.client.post(f"/people/{one.code}/merge/", {"into": mouse.code}).status_code == 302
    return scene.keeper.client


def undo_a_merge(scene, mouse) -> Client:
    """The merge itself ended everything, so this one was made by a version of the site that did not."""
    Person.objects.filter(pk=mouse.pk).update(merged_into=scene.tam, joined_to=scene.tam)
    assert scene.tam.client.post(f"/people/{mouse.code}/unmerge/").status_code == 302
    return scene.tam.client


def create_an_account(scene, mouse) -> Client:
    phone = Client()
    link = PersonalLink.objects.filter(person=mouse).first() or make_link(scene, mouse)
    open_personal_link(phone, link)
    assert phone.post("/me/account/", {"name": "Pip", "password": PASSWORD}).status_code == 302
    return phone


def hand_over_to_another_keeper(scene, mouse) -> Client:
    row = sign_up_claim_and_reset_links.create_takeover_link(Who.of(scene.keeper), mouse)
    assert scene.tam.client.post(open_pass(scene.tam.client, row)).status_code == 302
    return scene.tam.client


def change_the_password(scene, mouse) -> Client:
    answer = scene.oda.client.post("/me/password/", {"old": PASSWORD, "password": NEW_PASSWORD})
    assert answer.status_code == 302
    return scene.oda.client


def reset_the_password(scene, mouse) -> Client:
    row = Pass.objects.open().filter(kind="reset", target=mouse.pk).first()
    row = row or sign_up_claim_and_reset_links.create_reset_link(None, mouse)
    phone = Client()
    assert phone.post(open_pass(phone, row), {"password": NEW_PASSWORD}).status_code == 302
    return phone


def change_the_mail_address(scene, mouse) -> Client:
    assert scene.oda.client.post("/me/mail/", {"mail": "oda@example.org"}).status_code == 302
    return scene.oda.client


def forget_them(scene, mouse) -> Client:
    privacy.forget_person(mouse, by=Who.of(scene.keeper if not mouse.has_account else scene.oda))
    return scene.keeper.client


@dataclass(frozen=True)
class Event:
    do: Callable[..., Client]
    before: str  # what they are before it: "guest" or "account"
    ends: frozenset[str] | None = None  # None: everything

    def __str__(self) -> str:
        return self.do.__name__


RESETS = frozenset({"reset_link", "reset_link_opened_already"})
EVENTS = [
    Event(claim_with_a_new_account, "guest"),
    Event(claim_with_an_account, "guest"),
    Event(merge_into_an_account, "guest"),
    Event(merge_into_a_guest, "guest"),
    Event(merge_a_guest_into_them, "guest"),
    Event(undo_a_merge, "guest"),
    Event(create_an_account, "guest"),
    Event(hand_over_to_another_keeper, "guest"),
    Event(forget_them, "guest"),
    Event(change_the_password, "account"),
    Event(reset_the_password, "account"),
    Event(forget_them, "account"),
    # The old address may still hold a mail with a link. Nothing else depends on the address.
    Event(change_the_mail_address, "account", ends=RESETS),
]

PAIRS = [
    pytest.param(event, credential, id=f"{event}-{event.before}-{credential}")
    for event in EVENTS
    for credential in CREDENTIALS
    if credential.of in ("everyone", event.before)
]


@pytest.mark.parametrize(("event", "credential"), PAIRS)
def test_older_credentials_no_longer_work(event, credential, scene, db):
    mouse = mouse_of(scene, event.before)
    works = credential.make(scene, mouse)
    phone = event.do(scene, Person.objects.get(pk=mouse.pk))
    ends = event.ends is None or str(credential) in event.ends
    assert works() is not ends
    assert event.do is forget_them or get_known_name(phone) is not None, "this phone stays logged in"


# ── The laws: a new kind must be listed above ────────────────────────────────────────────────────────────


def test_every_kind_of_pass_is_listed():
    listed = {credential.kind for credential in CREDENTIALS} - {""}
    assert set(passes_services._kinds) == listed | PASSES_OF_A_GAME


def test_every_model_that_lets_somebody_in_is_listed():
    secrets = {model for model in apps.get_models() if issubclass(model, Secret)}
    assert secrets | {LogIn} == {PersonalLink, Pass, LogIn, ApiToken}
    hashes = {
        f"{model.__name__}.{field.name}"
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        if re.search("token|hash|secret|password|session_key", field.name)
    }
    assert hashes == {
        "User.password",
        "Session.session_key",  # worth nothing without its LogIn row
        "PersonalLink.token_hash",
        "Pass.token_hash",
        "ApiToken.token_hash",
        "Seat.token",
        "SheetSeat.token",
        "Slip.words_hash",
        "Job.lease_token",  # of a worker
        "Job.token",  # names a job; who may have it is decided by who asks
        "NoticeChoice.secret",  # signs what the site sends to a person's own webhook; it opens nothing here
        "Webhook.secret",  # signs what the site sends; it opens nothing here
    }


def test_the_api_knows_people_by_token_or_session_alone():
    assert settings.REST_FRAMEWORK["DEFAULT_AUTHENTICATION_CLASSES"] == ["people.api_tokens.scopes.WhoAuthentication"]


SESSION_KEYS = {
    "LOG_IN_KEY",  # the number of a LogIn row
    "LINK_KEY",  # a personal link that was opened but not confirmed
    "PASSES_KEY",
    "OFFERS_KEY",
    "ANSWERED_KEY",
    "name",  # one of the three above
    "UNCOVERED",  # shows a seat only if its pass is held
    "SESSION_KEY",  # who reported with a battle's slip; without the slip it allows nothing
    'f"exported-{campaign.code}"',
}


def test_every_session_key_is_listed():
    """What a session remembers is how a browser stays logged in."""
    root = Path(settings.BASE_DIR)
    sources = [path for path in root.rglob("*.py") if path.relative_to(root).parts[0] not in {"tests", ".venv", "var"}]
    matches = {key for path in sources for key in re.findall(r"request\.session\[(.+?)\] = ", path.read_text())}
    assert matches <= SESSION_KEYS


EVENT_SOURCES = {
    "people/accounts/services.py": {"create_user(", "update(account=", "account.set_password(", "update(invited_by="},
    "people/merging.py": {"merged_into="},
    "people/guests.py": {"update(keeper="},
    "people/privacy.py": {"account=None", "update(keeper=", "update(invited_by="},
}


def test_every_place_where_a_person_changes_hands_is_listed():
    """Each of these ends the credentials, or is a person's own choice on their page."""
    root = Path(settings.BASE_DIR)
    values: dict[str, set[str]] = {}
    for path in sorted(root.glob("people/**/*.py")):
        name = str(path.relative_to(root))
        if "migrations" in name:
            continue
        writes = re.findall(
            r"(create_user\(|account\.set_password\(|update\((?:account|keeper|invited_by)="
            r"|^ +merged_into=|^ +account=None,)",
            path.read_text(),
            re.MULTILINE,
        )
        if writes:
            values[name] = {write.strip().rstrip(",") for write in writes}
    assert values == EVENT_SOURCES


# ── What stays, and what people are told ─────────────────────────────────────────────────────────────────


def test_seat_stays_on_the_phone_that_creates_the_account(scene):
    phone, table = Client(), open_sample_table(scene.keeper)
    open_personal_link(phone, make_link(scene, scene.pip))
    sit(phone, table, 0)
    assert phone.post("/me/account/", {"name": "Pip", "password": PASSWORD}).status_code == 302
    assert phone.post(seat_url(table, 0, "show/")).status_code == 302


def test_own_log_ins_stay_after_claiming_a_guest(scene):
    laptop = Client()
    log_in(laptop, "tam")
    claim_with_an_account(scene, scene.pip)
    assert get_known_name(laptop) == "Tam"


def test_links_to_a_game_stay(scene):
    row = passes_services.create_pass("battle_report", 1, by=Who.of(scene.pip), lasts=None, uses=None)
    claim_with_a_new_account(scene, scene.pip)
    assert passes_services.state_of(Pass.objects.get(pk=row.pk)) == "open"


@pytest.mark.parametrize(
    "event", [create_an_account, claim_with_a_new_account, change_the_password, reset_the_password]
)
def test_person_is_told_that_other_phones_are_logged_out(event, scene):
    mouse = mouse_of(scene, "account" if "password" in event.__name__ else "guest")
    assert "Other phones are logged out, and older links no longer work." in event(scene, mouse).get("/me/").text


def test_former_keeper_gets_back_in_only_by_the_persons_own_choice(scene):
    phone = claim_with_a_new_account(scene, scene.pip)
    reset = f"/people/{scene.pip.code}/reset/"
    assert scene.keeper.client.post(reset).status_code == 404
    phone.post("/me/trust/", {"let_help": "1"})
    assert scene.keeper.client.post(reset).status_code == 302
    phone.post("/me/password/", {"old": PASSWORD, "password": NEW_PASSWORD})
    assert scene.keeper.client.post(reset).status_code == 404


def test_every_signed_token_is_listed():
    """A signed token cannot be revoked, so it must hold what changes with the person."""
    root = Path(settings.BASE_DIR)
    sources = [path for path in root.rglob("*.py") if path.relative_to(root).parts[0] not in {"tests", ".venv", "var"}]
    seen = {str(path.relative_to(root)) for path in sources if "signing.dumps(" in path.read_text()}
    # The browser's cookie only says which accounts it has logged in to; it logs nobody in.
    assert seen == {"people/accounts/log_ins.py", "gamenights/nights/calendar_feeds.py"}


def test_calendar_address_ends_when_a_guest_is_claimed(scene):
    group = found_group(Who.of(scene.pip), new_key(), FoundGroup(name="The Cellar"))
    token = calendar_feeds.make_token(group, scene.pip)
    assert calendar_feeds.find_group(token) == group
    claim_with_a_new_account(scene, scene.pip)
    with pytest.raises(Http404):
        calendar_feeds.find_group(token)


def test_calendar_address_from_before_a_merge_stays_ended_after_it_is_undone(scene):
    group = found_group(Who.of(scene.pip), new_key(), FoundGroup(name="The Cellar"))
    before = calendar_feeds.make_token(group, scene.pip)
    keeper = Who.of(scene.keeper)
    merging.merge_people(scene.pip, into=scene.keeper, by=keeper)
    merged = calendar_feeds.make_token(group, Person.objects.get(pk=scene.keeper.pk))
    assert calendar_feeds.find_group(merged) == group
    merging.unmerge_person(Person.objects.get(pk=scene.pip.pk), by=keeper)
    for token in (before, merged):
        with pytest.raises(Http404):
            calendar_feeds.find_group(token)
    anew = calendar_feeds.make_token(group, Person.objects.get(pk=scene.pip.pk))
    assert calendar_feeds.find_group(anew) == group
