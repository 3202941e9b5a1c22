"""Logs in with a Python package of Debian: `debian.py <package> <flow>`. Reads its settings as JSON, prints the user's ID or the error as JSON."""

import json
import re
import sys
from urllib.parse import parse_qsl, urlsplit

import requests
import urllib3.util.connection

SETTINGS = json.load(sys.stdin)
CALLBACK = SETTINGS["callback"]

connect = urllib3.util.connection.create_connection


def lead(_address, *arguments, **options):
    """Only the connection goes to the relay: request, signature and certificate are for the network's host."""
    return connect(("127.0.0.1", SETTINGS["port"]), *arguments, **options)


urllib3.util.connection.create_connection = lead


def consent(url):
    """The redirect URI with the authorization response."""
    response = requests.get(url, params=SETTINGS["consent"], allow_redirects=False)
    if "location" not in response.headers:
        raise RuntimeError(f"HTTP {response.status_code}")
    return response.headers["location"]


def read_pin(url):
    response = requests.get(url, params=SETTINGS["consent"], allow_redirects=False)
    pin = re.search(r"\b\d{7}\b", response.text)
    if pin is None:
        raise RuntimeError(f"HTTP {response.status_code}")
    return pin.group()


def parameters(url):
    return dict(parse_qsl(urlsplit(url).query))


def credentials(name):
    return SETTINGS[name]["id"], SETTINGS[name]["secret"]


# tweepy


def tweepy_x2():
    import tweepy

    key, secret = credentials("x")
    handler = tweepy.OAuth2UserHandler(
        client_id=key, client_secret=secret, redirect_uri=CALLBACK, scope=["tweet.read", "users.read"]
    )
    tokens = handler.fetch_token(consent(handler.get_authorization_url()))
    return tweepy.Client(tokens["access_token"]).get_me(user_auth=False).data.id


def tweepy_x1(callback=CALLBACK):
    import tweepy

    handler = tweepy.OAuth1UserHandler(*credentials("xConsumer"), callback=callback)
    url = handler.get_authorization_url()
    verifier = read_pin(url) if callback == "oob" else parameters(consent(url))["oauth_verifier"]
    handler.get_access_token(verifier)
    return tweepy.API(handler).verify_credentials().id_str


# requests-oauthlib


def requests_x1():
    from requests_oauthlib import OAuth1Session

    key, secret = credentials("xConsumer")
    start = OAuth1Session(key, client_secret=secret, callback_uri=CALLBACK)
    token = start.fetch_request_token("https://api.x.com/oauth/request_token")
    response = consent(start.authorization_url("https://api.x.com/oauth/authorize"))
    start.parse_authorization_response(response)
    end = OAuth1Session(
        key,
        client_secret=secret,
        resource_owner_key=token["oauth_token"],
        resource_owner_secret=token["oauth_token_secret"],
        verifier=parameters(response)["oauth_verifier"],
    )
    tokens = end.fetch_access_token("https://api.x.com/oauth/access_token")
    session = OAuth1Session(key, secret, tokens["oauth_token"], tokens["oauth_token_secret"])
    return session.get("https://api.x.com/1.1/account/verify_credentials.json").json()["id_str"]


def requests_oauth2(client_id, scope, authorize, token, start=None, end=None, device=False):
    """The session after a login, and the token response."""
    from requests_oauthlib import OAuth2Session

    session = OAuth2Session(client_id, redirect_uri=CALLBACK, scope=scope, state=SETTINGS["state"])
    url, _state = session.authorization_url(authorize, **(start or {}))
    response = consent(url)
    more = {"device_id": parameters(response)["device_id"]} if device else {}
    tokens = session.fetch_token(token, authorization_response=response, **(end or {}), **more)
    return session, tokens


def requests_x2():
    from requests.auth import HTTPBasicAuth

    session, _tokens = requests_oauth2(
        SETTINGS["x"]["id"],
        ["tweet.read", "users.read"],
        "https://x.com/i/oauth2/authorize",
        "https://api.x.com/2/oauth2/token",
        start={"code_challenge": SETTINGS["challenge"], "code_challenge_method": "S256"},
        end={"code_verifier": SETTINGS["verifier"], "auth": HTTPBasicAuth(*credentials("x"))},
    )
    return session.get("https://api.x.com/2/users/me").json()["data"]["id"]


def requests_vk():
    key, secret = credentials("vk")
    session, _tokens = requests_oauth2(
        key,
        ["email"],
        "https://oauth.vk.ru/authorize",
        "https://oauth.vk.ru/access_token",
        end={"client_secret": secret, "include_client_id": True},
    )
    users = session.get("https://api.vk.ru/method/users.get", params={"v": "5.199"})
    return users.json()["response"][0]["id"]


def requests_vk_id():
    key = SETTINGS["vkId"]["id"]
    session, tokens = requests_oauth2(
        key,
        ["vkid.personal_info", "email"],
        "https://id.vk.ru/authorize",
        "https://id.vk.ru/oauth2/auth",
        start={"code_challenge": SETTINGS["challenge"], "code_challenge_method": "S256"},
        end={"code_verifier": SETTINGS["verifier"], "include_client_id": True},
        device=True,
    )
    return session.post("https://id.vk.ru/oauth2/user_info", data={"client_id": key}).json()["user"]["user_id"]


def requests_tiktok():
    key, secret = credentials("tiktok")
    session, _tokens = requests_oauth2(
        key,
        ["user.info.basic"],
        "https://www.tiktok.com/v2/auth/authorize/",
        "https://open.tiktokapis.com/v2/oauth/token/",
        start={"client_key": key},
        end={"client_key": key, "client_secret": secret, "include_client_id": True},
    )
    return tiktok_user(session)


def tiktok_user(session):
    fields = {"fields": "open_id,avatar_url,display_name"}
    return session.get("https://open.tiktokapis.com/v2/user/info/", params=fields).json()["data"]["user"]["open_id"]


# authlib


def authlib_x1():
    from authlib.integrations.requests_client import OAuth1Session

    session = OAuth1Session(*credentials("xConsumer"), redirect_uri=CALLBACK)
    session.fetch_request_token("https://api.x.com/oauth/request_token")
    session.parse_authorization_response(
        consent(session.create_authorization_url("https://api.x.com/oauth/authenticate"))
    )
    session.fetch_access_token("https://api.x.com/oauth/access_token")
    return session.get("https://api.x.com/1.1/account/verify_credentials.json").json()["id_str"]


def authlib_oauth2(options, authorize, token, start=None, end=None, device=False):
    """The session after a login."""
    from authlib.integrations.requests_client import OAuth2Session

    session = OAuth2Session(redirect_uri=CALLBACK, **options)
    url, state = session.create_authorization_url(authorize, **(start or {}))
    response = consent(url)
    more = {"device_id": parameters(response)["device_id"]} if device else {}
    session.fetch_token(token, authorization_response=response, state=state, **(end or {}), **more)
    return session


def authlib_x2():
    key, secret = credentials("x")
    session = authlib_oauth2(
        {
            "client_id": key,
            "client_secret": secret,
            "scope": "tweet.read users.read",
            "code_challenge_method": "S256",
        },
        "https://x.com/i/oauth2/authorize",
        "https://api.x.com/2/oauth2/token",
        start={"code_verifier": SETTINGS["verifier"]},
        end={"code_verifier": SETTINGS["verifier"]},
    )
    return session.get("https://api.x.com/2/users/me").json()["data"]["id"]


def authlib_vk():
    key, secret = credentials("vk")
    session = authlib_oauth2(
        {
            "client_id": key,
            "client_secret": secret,
            "scope": "email",
            "token_endpoint_auth_method": "client_secret_post",
        },
        "https://oauth.vk.ru/authorize",
        "https://oauth.vk.ru/access_token",
    )
    users = session.get("https://api.vk.ru/method/users.get", params={"v": "5.199"})
    return users.json()["response"][0]["id"]


def authlib_vk_id():
    key = SETTINGS["vkId"]["id"]
    session = authlib_oauth2(
        {
            "client_id": key,
            "scope": "vkid.personal_info email",
            "token_endpoint_auth_method": "none",
            "code_challenge_method": "S256",
        },
        "https://id.vk.ru/authorize",
        "https://id.vk.ru/oauth2/auth",
        start={"code_verifier": SETTINGS["verifier"]},
        end={"code_verifier": SETTINGS["verifier"]},
        device=True,
    )
    return session.post("https://id.vk.ru/oauth2/user_info", data={"client_id": key}).json()["user"]["user_id"]


def authlib_tiktok():
    key, secret = credentials("tiktok")
    session = authlib_oauth2(
        {
            "client_id": key,
            "client_secret": secret,
            "scope": "user.info.basic",
            "token_endpoint_auth_method": "client_secret_post",
        },
        "https://www.tiktok.com/v2/auth/authorize/",
        "https://open.tiktokapis.com/v2/oauth/token/",
        start={"client_key": key},
        end={"client_key": key},
    )
    return tiktok_user(session)


# social-auth-core


def social_core(backend_class, settings, application):
    from social_core.strategy import BaseStrategy

    key, secret = credentials(application)
    found = {"SOCIAL_AUTH_KEY": key, "SOCIAL_AUTH_SECRET": secret, **settings}
    found["SOCIAL_AUTH_PIPELINE"] = (
        "social_core.pipeline.social_auth.social_details",
        "social_core.pipeline.social_auth.social_uid",
        f"{__name__}.keep_uid",
    )
    session = {}

    class Strategy(BaseStrategy):
        """What a web framework gives to social-auth-core."""

        def get_setting(self, name):
            return found[name]

        def request_data(self, merge=True):
            return session.get("request", {})

        def build_absolute_uri(self, path=None):
            return path

        def session_get(self, name, default=None):
            return session.get(name, default)

        def session_set(self, name, value):
            session[name] = value

        def session_pop(self, name):
            return session.pop(name, None)

    strategy = Strategy()
    start = backend_class(strategy, redirect_uri=CALLBACK)
    session["request"] = parameters(consent(start.auth_url()))
    end = backend_class(strategy, redirect_uri=CALLBACK)
    end.data = session["request"]
    end.auth_complete()
    return KEPT["uid"]


KEPT = {}


def keep_uid(uid, *_arguments, **_options):
    KEPT["uid"] = uid


def social_core_x1():
    from social_core.backends.twitter import TwitterOAuth

    return social_core(TwitterOAuth, {}, "xConsumer")


def social_core_vk():
    from social_core.backends.vk import VKOAuth2

    return social_core(VKOAuth2, {"SOCIAL_AUTH_VK_OAUTH2_SCOPE": ["email"]}, "vk")


LOGINS = {
    "python3-tweepy": {
        "X 2.0": tweepy_x2,
        "X 1.0a": tweepy_x1,
        "X 1.0a, PIN": lambda: tweepy_x1("oob"),
    },
    "python3-requests-oauthlib": {
        "TikTok": requests_tiktok,
        "X 2.0": requests_x2,
        "X 1.0a": requests_x1,
        "VK": requests_vk,
        "VK ID": requests_vk_id,
    },
    "python3-authlib": {
        "TikTok": authlib_tiktok,
        "X 2.0": authlib_x2,
        "X 1.0a": authlib_x1,
        "VK": authlib_vk,
        "VK ID": authlib_vk_id,
    },
    "python3-social-auth-core": {"X 1.0a": social_core_x1, "VK": social_core_vk},
}

package, flow = sys.argv[1:]
try:
    print(json.dumps({"id": str(LOGINS[package][flow]())}))
except Exception as error:  # pylint: disable=broad-except
    print(json.dumps({"error": f"{type(error).__name__}: {error}"}))
