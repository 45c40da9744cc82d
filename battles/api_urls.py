# /api/v1/battles/
from django.urls import path

from battles import api
from battles.tracker import api as tracker_api

urlpatterns = [
    path("", api.BattlesView.as_view()),
    path("statistics/", api.StatisticsView.as_view()),
    path("<slug:code>/", api.BattleView.as_view()),
    path("<slug:code>/set-up/", api.SetUpView.as_view()),
    path("<slug:code>/report/", api.ReportView.as_view()),
    path("<slug:code>/report-armies/", api.ReportArmiesView.as_view()),
    path("<slug:code>/table/", tracker_api.TrackerView.as_view()),
    path("<slug:code>/table/steps/", tracker_api.TrackerStepsView.as_view()),
    path("<slug:code>/table/take-back/", tracker_api.TrackerUndoView.as_view()),
]
