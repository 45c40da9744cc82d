# /api/v1/campaigns/
from django.urls import path

from campaign import api
from campaign.approvals import api as approvals_api
from campaign.invitations import api as invitations_api
from campaign.seasons import api as seasons_api
from campaign.transfer import api as transfer_api
from campaign.wars import api as wars_api

urlpatterns = [
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
