# /
from django.urls import path

import cardgames.selectors  # noqa: F401  (registers the "table" converter)
from home import api, views

app_name = "home"
urlpatterns = [
    path("", views.home, name="home"),
    path("how-it-goes/", views.how_it_goes, name="how_it_goes"),
    path("nights/", views.past_evenings, name="nights"),
    path("tables/<table:code>/picture.png", views.table_picture, name="table_picture"),
]

# /api/v1/
api_urlpatterns = [
    path("your-move/", api.YourMove.as_view()),
    path("evenings/", api.EveningList.as_view()),
]
