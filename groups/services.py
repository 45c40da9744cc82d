"""Writes of a group: founding it, its settings and its members. Each change is an entry in the group's log."""

import datetime as dt
from collections.abc import Callable, Iterable
from dataclasses import fields
from typing import Any

from django.db import IntegrityError, transaction
from django.http import HttpRequest

from groups.entries import AddMember, ChangeGroup, ChangeMember, FoundGroup, GroupSettings, Ref, write_body
from groups.models import Group, Member
from groups.permissions import is_host, require_host
from log import services as log_services
from look_alikes import look_alike_refusal
from pages.fields.columns_and_rows import extend, put
from people import guests as guests_services
from people.guests import find_namesake, has_look_alike
from people.models import Pass, Person
from people.name_validation import inline_name
from people.passes import services as passes_services
from people.requester import Who
from refusal import Refusal

KIND = "group"
INVITATION = "join_group"
INVITATION_LASTS = dt.timedelta(days=30)
MAX_GROUPS = 100
NEW_GUEST = "new"
LAST_HOST = "A group needs a host. Make someone else a host first."


def found_group(who: Who, key: str, sent: FoundGroup) -> Group:
    """Found a group and become its host; once per key."""
    person = who.require_person()
    log_services.check_key(key)
    founding_key = f"{who.ref}/{key}"
    before = Group.objects.filter(founding_key=founding_key).first()
    if before:
        return before
    _check_look_alikes(sent.name, who)
    if Group.objects.hosted_by(who).count() >= MAX_GROUPS:
        raise Refusal(f"You already host {MAX_GROUPS} groups. That is the limit.", status=409)
    try:
        with transaction.atomic():
            log = log_services.create_log(KIND, lambda writer: writer.append("group_founded", actor=person.pk))
            group = Group.objects.create(name=sent.name, zone=sent.zone, log=log, founding_key=founding_key)
            Member.objects.create(group=group, person=person, role=Member.Role.HOST)
    except IntegrityError:  # the same tap arrived twice at the same moment
        return Group.objects.get(founding_key=founding_key)
    return group


def _check_look_alikes(name: str, who: Who, own: int = 0) -> None:
    """Refuse a name that looks like that of a group they can see."""
    if has_look_alike(Group.objects.visible_to(who).exclude(pk=own), "name", name):
        raise look_alike_refusal(name)


def write_to_log(
    group: Group,
    who: Who,
    key: str,
    act: str,
    change: Callable[[log_services.LogWriter], Any],
    sent: object = None,
    **about: Ref,
) -> log_services.Answer:
    """One entry in the group's log, and the rows that ``change`` writes with it; once per key."""
    body = write_body(act, sent, **about)

    def work(writer: log_services.LogWriter) -> log_services.Answer:
        answer = change(writer) or {}
        written = writer.append(act, actor=who.person.pk if who.person else None, body=body)
        return {"entry": written.number, **answer}

    return log_services.write(group.log_id, who=who.ref, key=key, body={"act": act, **body}, act=work)


def change_settings(group: Group, who: Who, key: str, sent: ChangeGroup) -> None:
    require_host(group, who)
    _check_look_alikes(sent.name, who, own=group.pk)

    def change(_: log_services.LogWriter) -> None:
        put(group, sent)
        group.save(update_fields=[field.name for field in fields(sent)])

    write_to_log(group, who, key, "group_settings", change, extend(GroupSettings, sent))


# ── Members ──────────────────────────────────────────────────────────────────────────────────────────────


def add_member(group: Group, person: Person, role: str = Member.Role.MEMBER) -> Member:
    """Add someone, or raise their role. Never lowers it."""
    ranks = Member.Role.values
    rows = list(group.members.filter(person__in=person.all_ids()))
    if not rows:
        return Member.objects.get_or_create(group=group, person=person.root, defaults={"role": role})[0]
    best = min(rows, key=lambda row: ranks.index(row.role))
    if ranks.index(role) < ranks.index(best.role):
        best.role = role
        best.save(update_fields=["role"])
    return best


def add_new_guests(group: Group, people: Iterable[Person]) -> None:
    """People who were just created and are in no group yet."""
    Member.objects.bulk_create([Member(group=group, person=person, role=Member.Role.GUEST) for person in people])


class NamesakesKnown(Refusal):
    """There are people of this name already, and only the host knows whether one of them is meant."""

    def __init__(self, name: str, namesakes: list[Person]) -> None:
        super().__init__(f"You know someone called {inline_name(name)}. Choose who it is.", field="which")
        self.namesakes = namesakes


def add_by_name(group: Group, who: Who, key: str, sent: AddMember) -> Person:
    """Add a new guest of this name; or one of those ``who`` knows by it, if ``which`` is their number."""
    require_host(group, who)
    added = guests_services.find_added(who, key)
    namesakes = [] if added or sent.which == NEW_GUEST else guests_services.find_namesakes(who, sent.name)
    chosen = next((person for person in namesakes if str(person.pk) == sent.which), None)
    if namesakes and chosen is None:
        raise NamesakesKnown(sent.name, namesakes)
    person = added or chosen or guests_services.add_guest(who, sent.name, key=key)
    _write_joined(group, who, key, person)
    return person


def join_group(group: Group, who: Who, *, key: str) -> None:
    """Join by invitation."""
    person = who.require_person()
    _write_joined(group, who, key, person)


def _write_joined(group: Group, who: Who, key: str, person: Person) -> None:
    def change(_: log_services.LogWriter) -> None:
        add_member(group, person)

    write_to_log(group, who, key, "member_joined", change, person=person.pk)


def set_role(group: Group, who: Who, key: str, sent: ChangeMember, *, member: Member) -> None:
    require_host(group, who)

    def change(_: log_services.LogWriter) -> None:
        hosts = group.members.filter(role=Member.Role.HOST)
        if sent.role != Member.Role.HOST and not hosts.exclude(pk=member.pk).exists():
            raise Refusal(LAST_HOST, status=409)
        Member.objects.filter(pk=member.pk).update(role=sent.role)

    write_to_log(group, who, key, "member_role", change, sent, person=member.person_id)


def remove_member(group: Group, who: Who, *, key: str, member: Member) -> None:
    """Hosts remove anyone; everybody can leave. Their plays stay."""
    own = who.person is not None and member.person_id in who.person.all_ids()
    if not own and not is_host(group, who):
        raise Refusal(f"Only a host can remove {inline_name(member.person.root.name)}.", status=403)

    def change(_: log_services.LogWriter) -> None:
        if not group.members.filter(role=Member.Role.HOST).exclude(pk=member.pk).exists():
            raise Refusal(LAST_HOST, status=409)
        Member.objects.filter(pk=member.pk).delete()

    write_to_log(group, who, key, "member_left", change, person=member.person_id)


# ── Invitations: a pass makes its holder a member once they accept ───────────────────────────────────────


def register_invitations() -> None:
    passes_services.register_kind(
        INVITATION,
        "Invitation to a group",
        prompt=make_invitation_prompt,
        on_accept=accept_invitation,
        belongs_to="maker",
        needs_person=True,
        invites=True,
        why_name_taken=taken_name_text,
    )


def make_invitation_prompt(row: Pass, who: Who) -> passes_services.PassPrompt | None:
    group = Group.objects.filter(pk=row.target).first()
    if group is None:
        return None
    return passes_services.PassPrompt(
        f"You are invited to join {inline_name(group.name)}.",
        button="Join the group",
        more="Members see its game nights, plays and standings.",
    )


def taken_name_text(row: Pass, name: str) -> str:
    members = Member.objects.filter(group=row.target).select_related("person__merged_into")
    here = find_namesake((member.person for member in members), name)
    if not here:
        return ""
    return f"{here} is already in this group. If that is you, ask a host for your personal link. If not, add a letter."


def accept_invitation(row: Pass, request: HttpRequest) -> str:
    group = Group.objects.get(pk=row.target)
    join_group(group, request.who, key=f"invitation-{row.pk}")
    return group.get_absolute_url()


def find_invitation(group: Group) -> Pass | None:
    """The group's open link."""
    link = Pass.objects.open().filter(kind=INVITATION, target=group.pk).order_by("-made_at").first()
    return link if link and link.token else None


def create_invitation(group: Group, who: Who) -> Pass:
    """A link for everybody whom the hosts want to invite."""
    require_host(group, who)
    if link := find_invitation(group):
        return link
    return passes_services.create_pass(
        INVITATION, group.pk, by=who, label=group.name, lasts=INVITATION_LASTS, uses=None
    )
