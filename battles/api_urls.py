# /api/v1/battles/
from django.urls import path

from battles import api, table_api

urlpatterns = [
    path("", api.BattlesView.as_view()),
    path("statistics/", api.StatisticsView.as_view()),
    path("<slug:code>/", api.BattleView.as_view()),
    path("<slug:code>/set-up/", api.SetUpView.as_view()),
    path("<slug:code>/report/", api.ReportView.as_view()),
    path("<slug:code>/table/", table_api.TableView.as_view()),
    path("<slug:code>/table/steps/", table_api.TableStepsView.as_view()),
    path("<slug:code>/table/take-back/", table_api.TableTakeBackView.as_view()),
]
