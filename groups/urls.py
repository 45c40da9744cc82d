# /groups/
from django.urls import path

from groups import views

app_name = "groups"
urlpatterns = [
    path("new/", views.found_group, name="found"),
    path("<slug:code>/", views.group_page, name="page"),
    path("<slug:code>/members/", views.members, name="members"),
    path("<slug:code>/members/<int:pk>/", views.change_member, name="change_member"),
    path("<slug:code>/settings/", views.settings, name="settings"),
]
