# /api/v1/campaigns/
from django.urls import path

from campaign import api
from campaign.approvals import api as approvals_api
from campaign.seasons import seasons_and_standings_api as seasons_api
from campaign.transfer import api as transfer_api

urlpatterns = [
    path("", api.Campaigns.as_view()),
    path("arrival/", transfer_api.ImportUploads.as_view()),
    path("arrival/take-in/", transfer_api.Import.as_view()),
    path("<slug:code>/", api.CampaignDetail.as_view()),
    path("<slug:code>/at/<int:number>/", api.CampaignState.as_view()),
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
]
