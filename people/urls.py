# /
from django.urls import include, path

from people import api, views
from people.accounts import api as accounts_api, views as accounts_views
from people.api_tokens import api as tokens_api
from people.passes import views as passes_views

app_name = "people"

# /me/
me_urls = [
    path("", views.my_page, name="me"),
    path("name/", views.change_name, name="my_name"),
    path("arms/", views.change_arms, name="my_arms"),
    path("account/", views.create_account, name="my_account"),
    path("password/", views.change_password, name="my_password"),
    path("mail/", views.change_mail, name="my_mail"),
    path("trust/", views.change_reset_permission, name="my_reset_permission"),
    path("link/", views.show_personal_link, name="my_link"),
    path("tokens/", accounts_views.tokens, name="my_tokens"),
    path("tokens/<int:pk>/end/", accounts_views.end_token, name="end_token"),
    path("log-ins/end-others/", views.end_other_log_ins, name="end_other_log_ins"),
    path("log-ins/<int:pk>/end/", views.end_log_in, name="end_log_in"),
    path("data/", views.show_my_data, name="my_data"),
    path("data/file/", views.download_my_data, name="my_data_file"),
    path("forget/", views.forget_me_page, name="forget_me"),
]

# /people/
people_urls = [
    path("", views.list_people, name="index"),
    path("<slug:code>/", views.show_person, name="person"),
    path("<slug:code>/rename/", views.rename_person, name="rename"),
    path("<slug:code>/arms/", views.change_arms_of, name="arms"),
    path("<slug:code>/link/", views.issue_personal_link, name="issue_personal_link"),
    path("<slug:code>/claim/", views.create_claim_link, name="claim_link"),
    path("<slug:code>/hand-on/", views.create_takeover_link, name="takeover_link"),
    path("<slug:code>/reset/", views.create_reset_link, name="reset_link"),
    path("<slug:code>/merge/", views.merge_person, name="merge"),
    path("<slug:code>/unmerge/", views.unmerge_person, name="unmerge"),
    path("<slug:code>/forget/", views.forget_person, name="forget"),
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

# /api/v1/
api_urlpatterns = [
    path("log-in/", tokens_api.LogIn.as_view()),
    path("log-out/", tokens_api.LogOut.as_view()),
    path("sign-up/", tokens_api.SignUp.as_view()),
    path("first-owner/", tokens_api.FirstOwner.as_view()),
    path("forgotten-password/", tokens_api.ForgottenPassword.as_view()),
    path("tokens/", tokens_api.TokenList.as_view()),
    path("tokens/<int:pk>/", tokens_api.TokenDetail.as_view()),
    path("me/", api.MeView.as_view()),
    path("me/account/", accounts_api.CreateOwnAccount.as_view()),
    path("me/password/", accounts_api.ChangePassword.as_view()),
    path("me/mail/", accounts_api.MailView.as_view()),
    path("me/help/", accounts_api.ResetHelpView.as_view()),
    path("me/link/", accounts_api.MyLink.as_view()),
    path("me/log-ins/", accounts_api.LogInList.as_view()),
    path("me/log-ins/<int:pk>/", accounts_api.LogInDetail.as_view()),
    path("me/data/", accounts_api.MyData.as_view()),
    path("me/forget/", accounts_api.ForgetMe.as_view()),
    path("people/", api.PeopleView.as_view()),
    path("people/<slug:code>/", api.PersonView.as_view()),
    path("people/<slug:code>/link/", api.PersonalLinkOf.as_view()),
    path("people/<slug:code>/claim/", api.ClaimLink.as_view()),
    path("people/<slug:code>/hand-on/", api.TakeoverLink.as_view()),
    path("people/<slug:code>/reset/", api.ResetLink.as_view()),
    path("people/<slug:code>/merge/", api.Merge.as_view()),
    path("people/<slug:code>/unmerge/", api.Unmerge.as_view()),
    path("people/<slug:code>/forget/", api.Forget.as_view()),
    path("passes/", api.PassesView.as_view()),
    path("passes/<int:pk>/", api.PassView.as_view()),
    path("passes/<int:pk>/revoke/", api.RevokePassView.as_view()),
    path("links/look/", tokens_api.LookAtLink.as_view()),
    path("links/accept/", tokens_api.AcceptLink.as_view()),
]
