"""The models of all features, for Django."""
# ruff: noqa: F401

from gamenights.nights.models import Attendance, BringItem, DateOption, DateVote, Night, NightTable
from gamenights.notices.models import NoticeChoice, PersonalNotice, Webhook, WebhookDelivery
from gamenights.plays.models import Play, PlayPlayer
from gamenights.shelf.models import Game, GameVote
from gamenights.standings.models import RatingMonth, Season, StoredStandings, TallyBlock, TallyBlockSlot
from gamenights.transfer.models import PersonKey, PlaysUpload
