# /api/v1/battles/
from django.urls import path

from battles import api
from battles.quick_fight import api as quick_fight_api
from battles.result import api as result_api
from battles.slip import api as slip_api
from battles.tracker import api as tracker_api, whole_turns_api

urlpatterns = [
    path("", api.BattlesView.as_view()),
    path("statistics/", api.StatisticsView.as_view()),
    path("fight/", quick_fight_api.QuickFightView.as_view()),
    path("code/", slip_api.OpenSlip.as_view()),
    path("past/<slug:campaign>/", result_api.PastGames.as_view()),
    path("heroes/<slug:campaign>/<slug:kingdom>/<int:house>/", api.Hero.as_view()),
    path("<slug:code>/", api.BattleView.as_view()),
    path("<slug:code>/set-up/", api.SetUpView.as_view()),
    path("<slug:code>/start/", api.StartBattle.as_view()),
    path("<slug:code>/call-off/", api.CallOffBattle.as_view()),
    path("<slug:code>/reopen/", api.ReopenBattle.as_view()),
    path("<slug:code>/link/", api.BattleLinkView.as_view()),
    path("<slug:code>/pending-report/", result_api.PendingReportView.as_view()),
    path("<slug:code>/slip/", slip_api.BattleSlip.as_view()),
    path("<slug:code>/photos/", api.BattlePhotos.as_view()),
    path("<slug:code>/written/", api.WrittenReports.as_view()),
    path("<slug:code>/report/", result_api.ReportView.as_view()),
    path("<slug:code>/report-armies/", result_api.ReportArmiesView.as_view()),
    path("<slug:code>/table/", tracker_api.TrackerView.as_view()),
    path("<slug:code>/table/solo/", whole_turns_api.SoloOpponent.as_view()),
    path("<slug:code>/table/set-up/", tracker_api.TrackerSetUp.as_view()),
    path("<slug:code>/table/history/", tracker_api.StepHistory.as_view()),
    path("<slug:code>/table/steps/", tracker_api.TrackerSteps.as_view()),
    path("<slug:code>/table/attacks/", whole_turns_api.WholeAttack.as_view()),
    path("<slug:code>/table/attacks/preview/", tracker_api.AttackPreview.as_view()),
    path("<slug:code>/table/units/<slug:unit>/", tracker_api.UnitPage.as_view()),
    path("<slug:code>/table/take-back/", tracker_api.TrackerUndo.as_view()),
]
