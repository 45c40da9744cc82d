# /battles/
from django.urls import path

from battles import (
    bulk_views,
    correct_views,
    new_views,
    report_views,
    share_views,
    slip_views,
    statistics_views,
    table_urls,
    views,
)

app_name = "battles"
urlpatterns = [
    path("", views.index, name="index"),
    path("new/", new_views.new, name="new"),
    path("code/", views.by_code, name="code"),
    path("slips/", slip_views.blank, name="blank_slip"),
    path("statistics/", statistics_views.statistics, name="statistics"),
    path("past/<slug:campaign>/", bulk_views.past, name="past"),
    path("of/<slug:campaign>/<int:battle>/", views.of_campaign, name="of_campaign"),
    path("of/<slug:campaign>/<int:battle>/correct/", correct_views.correct, name="correct"),
    *table_urls.urlpatterns,
    path("<slug:code>/", views.page, name="page"),
    path("<slug:code>/live/", views.live, name="live"),
    path("<slug:code>/set-up/", views.set_up, name="set_up"),
    path("<slug:code>/on-the-table/", views.to_the_table, name="to_the_table"),
    path("<slug:code>/report/", report_views.report, name="report"),
    path("<slug:code>/report/worked-out/", report_views.preview, name="preview"),
    path("<slug:code>/answer/", views.answer, name="answer"),
    path("<slug:code>/call-off/", views.call_off, name="call_off"),
    path("<slug:code>/reopen/", views.reopen, name="reopen"),
    path("<slug:code>/slip/", slip_views.slip, name="slip"),
    path("<slug:code>/slip/renew/", slip_views.renew, name="renew_slip"),
    path("<slug:code>/share.png", share_views.share, name="share"),
]
