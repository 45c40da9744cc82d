"""SQLite sorts what has no moment before all moments, PostgreSQL after them: queries that care say so."""

from __future__ import annotations

import pytest

ORDERS = """
import datetime as dt
from django.utils import timezone
from gamenights.nights.models import Attendance, Night
from gamenights.nights.permissions import attendance_of
from gamenights.nights.selectors import night_of_person, night_on
from groups.models import Group
from log.services import create_log
from people.models import Person
from people.requester import Who

wren = Person.objects.create(name="Wren")
joined = {"merged_into": wren, "joined_to": wren, "joined_at": timezone.now()}
wren_before = Person.objects.create(name="Wren", **joined)
group = Group.objects.create(name="Hedge", log=create_log("group"))
now, day = timezone.now(), timezone.localdate()
began, ends = now - dt.timedelta(hours=3), now + dt.timedelta(hours=3)
later = {"ends_at": ends, "host": wren, "group": group}
is_open = Night.objects.create(day=day, starts_at=began, **later)
Night.objects.create(day=day, starts_at=began, closed_at=now, **later)
without_date = Night.objects.create(host=wren, group=group)
assert night_on(group, day) == is_open

came = Attendance.objects.create(night=is_open, person=wren_before, here_at=now)
Attendance.objects.create(night=is_open, person=wren)
assert attendance_of(is_open, Who.of(wren)) == came

Attendance.objects.create(night=without_date, person=wren, here_at=now)
assert night_of_person(wren) == is_open
print("FINE")
"""


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_open_dated_and_attended_nights_come_first_on_both_databases(make_site, request, database):
    url = {"DATABASE_URL": request.getfixturevalue("migrated_postgres_url")} if database == "postgresql" else {}
    assert "FINE" in make_site(start=False, **url).shell(ORDERS)
