# /musters/
from django.urls import include, path

from musters import history_views, quick_views, views

app_name = "musters"
urlpatterns = [
    path("", quick_views.index, name="index"),
    path("quick/", quick_views.quick, name="quick"),
    path("own/", quick_views.own, name="own"),
    path("a/", quick_views.by_code, name="by_code"),
    path("a/<str:code>/", quick_views.army, name="army"),
    path("for/<slug:campaign>/<int:battle>/<slug:kingdom>/", views.begin, name="begin"),
    path("of/<slug:campaign>/<slug:kingdom>/", history_views.history, name="history"),
    path("dice-animation/", views.stillness, name="stillness"),
    path("evening/", include("musters.evening_urls")),
    path("compare/", include("musters.compare_urls")),
    # Codes of musters come last, or they would take the words above.
    path("<slug:code>/", views.muster, name="muster"),
    path("<slug:code>/part/", views.part, name="part"),
    path("<slug:code>/answer/", views.answer, name="answer"),
    path("<slug:code>/again/", views.again, name="again"),
    path("<slug:code>/keep/", views.keep, name="keep"),
    path("<slug:code>/back/", views.back, name="back"),
    path("<slug:code>/agree/", views.agree, name="agree"),
    path("<slug:code>/word/", views.word, name="word"),
    path("<slug:code>/take/", views.take, name="take"),
]
