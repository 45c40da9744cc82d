# /battles/: at the table
from django.urls import path

from battles import quick_views, solo_views, table_views

urlpatterns = [
    path("fight/", quick_views.quick, name="fight"),
    path("<slug:code>/table/", table_views.table, name="table"),
    path("<slug:code>/table/board/", table_views.board, name="board"),
    path("<slug:code>/table/lay/", table_views.lay, name="lay"),
    path("<slug:code>/table/step/", table_views.step, name="step"),
    path("<slug:code>/table/set/", table_views.as_it_stands, name="as_it_stands"),
    path("<slug:code>/table/helper/", table_views.helper, name="helper"),
    path("<slug:code>/table/history/", table_views.history, name="history"),
    path("<slug:code>/table/opponent/", solo_views.opponent, name="solo"),
    path("<slug:code>/table/units/<slug:unit>/", table_views.unit, name="unit"),
    path("<slug:code>/table/take-back/<int:number>/", table_views.take_back, name="take_back"),
]
