# /campaigns/
from django.urls import include, path

from campaign import api, views
from campaign.approvals import api as approvals_api, views as approvals_views
from campaign.campaign_settings import views as campaign_settings_views
from campaign.corrections import views as corrections_views
from campaign.founding import views as founding_views
from campaign.invitations import api as invitations_api
from campaign.seasons import api as seasons_api, views as seasons_views
from campaign.transfer import api as transfer_api, views as transfer_views
from campaign.wars import api as wars_api, views as wars_views

app_name = "campaign"

# /campaigns/<code>/
campaign_urls = [
    path("", views.page, name="page"),
    path("parts/", views.parts, name="parts"),
    path("card.png", views.picture, name="share_picture"),
    path("lands/<str:kingdoms>.svg", views.lands, name="lands"),
    path("note/", views.note, name="note"),
    path("rename/", views.rename, name="rename"),
    path("invite/", views.invite, name="invite"),
    path("join/<int:count>/", founding_views.add_kingdoms, name="add_kingdoms"),
    path("standing/", founding_views.starting_position, name="starting_position"),
    path("kingdoms/<slug:kingdom>/", views.kingdom, name="kingdom"),
    path("kingdoms/<slug:kingdom>/take/", views.take_throne, name="take_throne"),
    path("kingdoms/<slug:kingdom>/spend/", views.spend_vp, name="spend_vp"),
    path("kingdoms/<slug:kingdom>/looks/", campaign_settings_views.kingdom_names, name="kingdom_names"),
    path("kingdoms/<slug:kingdom>/arms/", campaign_settings_views.kingdom_arms, name="kingdom_arms"),
    path("kingdoms/<slug:kingdom>/arms/<int:house>/", campaign_settings_views.kingdom_arms, name="house_arms"),
    path("kingdoms/<slug:kingdom>/rule/", campaign_settings_views.kingdom_ruler, name="kingdom_ruler"),
    path("masters/", campaign_settings_views.masters, name="masters"),
    path("house-rules/", campaign_settings_views.house_rules, name="house_rules"),
    path("roll-off/", wars_views.roll_for_attack, name="roll_off"),
    path("targets/", wars_views.targets, name="targets"),
    path("declare/", wars_views.declare_battle, name="declare"),
    path("battles/<int:battle>/call-off/", wars_views.call_off_battle, name="call_off"),
    path("log-battle/", wars_views.log_battle, name="log_battle"),
    path("result/", wars_views.report_result, name="result"),
    path("petitions/<int:pk>/", approvals_views.approval, name="approval"),
    path("petitions/<int:pk>/other/", approvals_views.own_version, name="approval_own_version"),
    path("agreed/", wars_views.agreed_change, name="agreed_change"),
    path("won/", wars_views.declare_winner, name="declare_winner"),
    path("wars/<int:war>/", wars_views.victory, name="victory"),
    path("season/", seasons_views.open_or_close_season, name="open_or_close_season"),
    path("seasons/", seasons_views.seasons, name="seasons"),
    path("seasons/<int:season>/", seasons_views.season, name="season_page"),
    path("charts/", seasons_views.charts, name="charts"),
    path("export/", transfer_views.export, name="export"),
    path("export/campaign.json", transfer_views.export_json, name="export_json"),
    path("export/standings.csv", transfer_views.standings_csv, name="standings_csv"),
    path("export/entries.csv", transfer_views.entries_csv, name="entries_csv"),
    path("archive/", transfer_views.archive_campaign, name="archive"),
    path("delete/", transfer_views.delete_campaign, name="delete"),
    path("atlas/", views.past_map, name="past_map"),
    path("entries/<int:number>/strike/", corrections_views.strike, name="strike"),
    path("entries/<int:number>/amend/", corrections_views.amend, name="amend"),
    path("entries/<int:number>/restore/", corrections_views.restore, name="restore"),
]

urlpatterns = [
    path("", views.index, name="index"),
    path("found/", founding_views.found_campaign, name="found"),
    path("take-in/", transfer_views.upload_file, name="upload_file"),
    path("take-in/look/", transfer_views.import_preview, name="import_preview"),
    path("<slug:code>/", include(campaign_urls)),
]

# /api/v1/campaigns/
api_urlpatterns = [
    path("", api.Campaigns.as_view()),
    path("arrival/", transfer_api.ImportUploads.as_view()),
    path("arrival/take-in/", transfer_api.Import.as_view()),
    path("<slug:code>/", api.CampaignDetail.as_view()),
    path("<slug:code>/at/<int:number>/", api.CampaignState.as_view()),
    path("<slug:code>/entries/", api.EntryList.as_view()),
    path("<slug:code>/targets/", wars_api.Targets.as_view()),
    path("<slug:code>/roll-off/", wars_api.RollOff.as_view()),
    path("<slug:code>/suggestions/", wars_api.KingdomSuggestions.as_view()),
    path("<slug:code>/kingdoms/<slug:kingdom>/", wars_api.KingdomDetail.as_view()),
    path("<slug:code>/wars/<int:war>/", wars_api.WonWar.as_view()),
    path("<slug:code>/house-rules/", wars_api.HouseRules.as_view()),
    path("<slug:code>/invitations/", invitations_api.InvitationList.as_view()),
    path("<slug:code>/invitations/<int:invitation>/", invitations_api.InvitationDetail.as_view()),
    path("<slug:code>/guest-links/", invitations_api.GuestLinks.as_view()),
    path("<slug:code>/archive/", transfer_api.Archive.as_view()),
    path("<slug:code>/notes/", api.Notes.as_view()),
    path("<slug:code>/acts/", api.Acts.as_view()),
    path("<slug:code>/corrections/", api.Corrections.as_view()),
    path("<slug:code>/petitions/", approvals_api.Approvals.as_view()),
    path("<slug:code>/petitions/<int:pk>/", approvals_api.ApprovalDetail.as_view()),
    path("<slug:code>/standings/", seasons_api.Standings.as_view()),
    path("<slug:code>/seasons/", seasons_api.Seasons.as_view()),
    path("<slug:code>/seasons/<int:season>/", seasons_api.Season.as_view()),
    path("<slug:code>/courses/", seasons_api.Courses.as_view()),
    path("<slug:code>/export/", transfer_api.Export.as_view()),
    path("<slug:code>/export/<slug:table>.csv", transfer_api.CsvFile.as_view()),
]
