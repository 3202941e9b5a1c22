"""Logs in with a Python package of Debian: `debian.py <package> <flow>`. Reads its settings as JSON, prints the user's ID or the error as JSON."""

import importlib
import json
import re
import sys
from urllib.parse import parse_qsl, urlsplit

import requests
import tweepy
import urllib3.util.connection
from social_core.strategy import BaseStrategy

SETTINGS = json.load(sys.stdin)
CALLBACK = SETTINGS["callback"]

connect = urllib3.util.connection.create_connection


def lead(_address, *arguments, **options):
    """Only the connection goes to the relay: request, signature and certificate are for the network's host."""
    return connect(("127.0.0.1", SETTINGS["port"]), *arguments, **options)


urllib3.util.connection.create_connection = lead


def consent(url):
    """The redirect URI with the authorization response; the PIN for an application without one."""
    response = requests.get(url, params=SETTINGS["consent"], allow_redirects=False)
    pin = re.search(r"\b\d{7}\b", response.text)
    if "location" not in response.headers and pin is None:
        raise RuntimeError(f"HTTP {response.status_code}")
    return response.headers.get("location") or pin.group()


def parameters(url):
    return dict(parse_qsl(urlsplit(url).query))


def tweepy_x2():
    handler = tweepy.OAuth2UserHandler(
        client_id=SETTINGS["x"]["id"],
        client_secret=SETTINGS["x"]["secret"],
        redirect_uri=CALLBACK,
        scope=["tweet.read", "users.read"],
    )
    tokens = handler.fetch_token(consent(handler.get_authorization_url()))
    return tweepy.Client(tokens["access_token"]).get_me(user_auth=False).data.id


def tweepy_x1(callback=CALLBACK):
    consumer = SETTINGS["xConsumer"]
    handler = tweepy.OAuth1UserHandler(consumer["id"], consumer["secret"], callback=callback)
    url = handler.get_authorization_url()
    verifier = consent(url) if callback == "oob" else parameters(consent(url))["oauth_verifier"]
    handler.get_access_token(verifier)
    return tweepy.API(handler).verify_credentials().id_str


def social_core(module, name, application, **settings):
    backend_class = getattr(importlib.import_module(f"social_core.backends.{module}"), name)
    found = {
        "SOCIAL_AUTH_KEY": SETTINGS[application]["id"],
        "SOCIAL_AUTH_SECRET": SETTINGS[application]["secret"],
        "SOCIAL_AUTH_PIPELINE": (
            "social_core.pipeline.social_auth.social_details",
            "social_core.pipeline.social_auth.social_uid",
            f"{__name__}.keep_uid",
        ),
        **settings,
    }
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


LOGINS = {
    "python3-tweepy": {"X 2.0": tweepy_x2, "X 1.0a": tweepy_x1, "X 1.0a, PIN": lambda: tweepy_x1("oob")},
    "python3-social-auth-core": {
        "X 1.0a": lambda: social_core("twitter", "TwitterOAuth", "xConsumer"),
        "VK": lambda: social_core("vk", "VKOAuth2", "vk", SOCIAL_AUTH_VK_OAUTH2_SCOPE=["email"]),
    },
}

package, flow = sys.argv[1:]
try:
    print(json.dumps({"id": str(LOGINS[package][flow]())}))
except Exception as error:  # pylint: disable=broad-except
    print(json.dumps({"error": f"{type(error).__name__}: {error}"}))
