# /api/v1/campaigns/
from django.urls import path

from campaign import api, api_files, api_history, petition_api

urlpatterns = [
    path("", api.Campaigns.as_view()),
    path("arrival/", api_files.Arrivals.as_view()),
    path("arrival/take-in/", api_files.TakeIn.as_view()),
    path("<slug:code>/", api.CampaignDetail.as_view()),
    path("<slug:code>/at/<int:number>/", api.CampaignState.as_view()),
    path("<slug:code>/notes/", api.Notes.as_view()),
    path("<slug:code>/acts/", api.Acts.as_view()),
    path("<slug:code>/corrections/", api.Corrections.as_view()),
    path("<slug:code>/petitions/", petition_api.Petitions.as_view()),
    path("<slug:code>/petitions/<int:pk>/", petition_api.PetitionDetail.as_view()),
    path("<slug:code>/standings/", api_history.Standings.as_view()),
    path("<slug:code>/seasons/", api_history.Seasons.as_view()),
    path("<slug:code>/seasons/<int:season>/", api_history.Season.as_view()),
    path("<slug:code>/courses/", api_history.Courses.as_view()),
    path("<slug:code>/export/", api_files.Export.as_view()),
]
