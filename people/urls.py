# /
from django.urls import include, path

from people.accounts import my_page_views
from people.accounts import views as accounts_views
from people.api_tokens import views as tokens_views
from people.guests import person_views
from people.passes import views as passes_views

app_name = "people"

# /me/
me_urls = [
    path("", my_page_views.my_page, name="me"),
    path("name/", my_page_views.change_name, name="my_name"),
    path("arms/", my_page_views.change_arms, name="my_arms"),
    path("account/", my_page_views.create_account, name="my_account"),
    path("password/", my_page_views.change_password, name="my_password"),
    path("mail/", my_page_views.change_mail, name="my_mail"),
    path("trust/", my_page_views.change_reset_permission, name="my_reset_permission"),
    path("link/", my_page_views.show_personal_link, name="my_link"),
    path("tokens/", tokens_views.tokens, name="my_tokens"),
    path("tokens/<int:pk>/end/", tokens_views.end_token, name="end_token"),
    path("log-ins/end-others/", my_page_views.end_other_log_ins, name="end_other_log_ins"),
    path("log-ins/<int:pk>/end/", my_page_views.end_log_in, name="end_log_in"),
    path("data/", my_page_views.show_my_data, name="my_data"),
    path("data/file/", my_page_views.download_my_data, name="my_data_file"),
    path("forget/", my_page_views.forget_me_page, name="forget_me"),
]

# /people/
people_urls = [
    path("", person_views.list_people, name="index"),
    path("<slug:code>/", person_views.show_person, name="person"),
    path("<slug:code>/rename/", person_views.rename_person, name="rename"),
    path("<slug:code>/arms/", person_views.change_arms, name="arms"),
    path("<slug:code>/link/", person_views.issue_personal_link, name="issue_personal_link"),
    path("<slug:code>/claim/", person_views.create_claim_link, name="claim_link"),
    path("<slug:code>/hand-on/", person_views.create_takeover_link, name="takeover_link"),
    path("<slug:code>/reset/", person_views.create_reset_link, name="reset_link"),
    path("<slug:code>/merge/", person_views.merge_person, name="merge"),
    path("<slug:code>/unmerge/", person_views.unmerge_person, name="unmerge"),
    path("<slug:code>/forget/", person_views.forget_person, name="forget"),
]

# /invitations/
invitation_urls = [
    path("", passes_views.list_invitations, name="invitations"),
    path("<int:pk>/", passes_views.show_pass, name="show_pass"),
    path("<int:pk>/revoke/", passes_views.revoke_pass, name="revoke_pass"),
]

urlpatterns = [
    path("log-in/", accounts_views.log_in, name="log_in"),
    path("log-in/forgotten/", accounts_views.forgotten_password, name="forgotten_password"),
    path("log-out/", accounts_views.log_out, name="log_out"),
    path("sign-up/", accounts_views.sign_up, name="sign_up"),
    path("first/", accounts_views.first_owner, name="first_owner"),
    path("me/", include(me_urls)),
    path("people/", include(people_urls)),
    path("invitations/", include(invitation_urls)),
    # Opening a link redirects to an address without the token.
    path("p/<str:token>", passes_views.open_personal_link, name="open_personal_link"),
    path("p/", passes_views.confirm_personal_link, name="confirm_personal_link"),
    path("i/<str:token>", passes_views.open_pass, name="open_pass"),
    path("invitation/<int:pk>/", passes_views.accept_pass, name="accept_pass"),
    path("invitation/<int:pk>/by-name/", passes_views.accept_pass_by_name, name="accept_pass_by_name"),
]
