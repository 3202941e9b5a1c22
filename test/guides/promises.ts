/** `file > title`: a file of test/, without its ending, and the exact title of a test in it. */
export type Proof = string;

/**
 * Page -> a promise of it, word for word -> the tests that prove it. Tests of the row of a security rule begin with the rule's number. Before you
 * add an entry, read the test: does it fail if the promise is broken?
 */
export const PROMISES: Readonly<Record<string, Readonly<Record<string, readonly Proof[]>>>> = {
  'README.md': {
    'Three [Passport](https://www.passportjs.org) strategies in TypeScript that log users in with TikTok, X and VK, and a sandbox that plays the three networks on your machine.':
      [
        'docs > has a program with three networks that runs with the sandbox, without credentials, as its page says',
        'contract > covers every network that the sandbox plays',
      ],
    'With Node 20.19 or newer, in an empty folder ([before the packages are in the registry](#install)):': [
      'docs > names only runtimes and frameworks in which a packed package logs in',
    ],
    "Run `node app.mjs`, open the URL that it prints, and log in as one of the sandbox's people.": [
      'docs > has a program that runs unchanged, in README.md: app.mjs',
    ],
    'In a clone of the repository, `npm ci && npm start` shows a [login page](examples/login/README.md) with the three networks, linked accounts and tokens:':
      [
        'examples/login > links a second network and signs the same user in through either',
        'examples/login > has valid tokens after two concurrent refreshes',
      ],
    '`npx passport-social-networks check --env-file .env` finds a wrong key, a wrong callback URL or a firewall [before the first login](docs/going-live.md#check-before-the-first-login), without a user:':
      [
        'package > has a command that npx finds by the name of the package',
        'check/command > prints what docs/going-live.md shows, and README in part',
        'check/credentials > short-video: a wrong secret: the finding leads to the mistake',
        'check/callback > TikTok: http://app.example/callback has failed',
        'check/surroundings > a network that is down fails, and the credentials are not sent',
        'check/credentials > short-video: no login is begun, and no token issued',
      ],
    '[`npm run record`](CONTRIBUTING.md#record-a-real-login), in a clone, turns one real login into a test, without anything private in it, and prints where the network differs from the sandbox:':
      [
        'tools/record > prints what README.md and CONTRIBUTING.md show',
        'tools/record > turns a login through microblog into exchanges without private values that the suite plays',
        'tools/record > prints what contradicts the sandbox, and writes nothing unless the answer is yes',
      ],
    '[The same questions](bench/peers/results.md), asked of each package on 2026-11-23: the first with the settings of its README, the others with its safest documented ones.':
      ['docs > compares the packages by what was measured'],
    '30 logins at once, each its own user': ['docs > compares the packages by what was measured'],
    'Guides for those who come from [passport-tiktok-auth](docs/migrating-from-passport-tiktok-auth.md), [@superfaceai/passport-twitter-oauth2](docs/migrating-from-superfaceai-passport-twitter-oauth2.md), [passport-twitter](docs/migrating-from-passport-twitter.md), [passport-vkontakte](docs/migrating-from-passport-vkontakte.md) and [Auth.js](docs/migrating-from-auth-js.md) compare option by option.':
      ['docs > links only to files and headings that exist, in README.md'],
    'A login with each network, from the packed packages, in [projects of their own](test/packaging/README.md):':
      ['docs > names only runtimes and frameworks in which a packed package logs in'],
    'To use another URL, set `callbackURL`.': [
      'contract > the option callbackURL is where the user returns to',
    ],
    'Without that it is resolved against the request: [behind a proxy](docs/proxies.md#behind-a-proxy-https-and-the-callback-url), set `trust proxy`.':
      [
        'core/login/redirect-uri > otherwise follows the protocol and host of the request',
        'core/login/redirect-uri > T3: follows forwarded headers only where the framework trusts the proxy, or with the option proxy',
      ],
    'VK ID does not get the key: it encrypts [a cookie](docs/pending-logins.md).': [
      'social-network/vk-id/secrets > the client secret, the key of pending logins, is never sent',
    ],
    "In place of the sandbox's options, a strategy takes `clientID` and `clientSecret`.": [
      'contract > bad input: clientID is missing, empty or not a string',
    ],
    '[A program with three networks](docs/three-networks.md) shows it whole, with errors and logging out.': [
      'docs > has a program with three networks that runs with the sandbox, without credentials, as its page says',
    ],
    all: ['docs > compares the packages by what was measured'],
    'all;': ['docs > names only runtimes and frameworks in which a packed package logs in'],
  },
  'docs/security.md': {
    'A strategy never trusts `X-Forwarded-...` by itself.': [
      'security/addresses > T3: forwarded headers are ignored by default',
      'core/login/redirect-uri > T3: follows forwarded headers only where the framework trusts the proxy, or with the option proxy',
    ],
    '**Logging.** Errors of the strategies contain no secret.': [
      'security/secrets > S1: no error, failure or warning shows a secret that a network echoes as every known place at once, plain',
      'hostility/hostility > T8, S1, S3, S6: one outcome, the right user and no leaked secret: responses microblog',
    ],
    'The URL contains the state and the SHA-256 hash of the verifier, never the verifier.': [
      'security/requests > T11: no URL contains a token, code, secret or verifier, in a series of logins and token calls',
      'security/code-exchange > C15: the challenge is the SHA-256 of the posted verifier',
    ],
    'Only then does it trust the rest of the response, including an error.': [
      'security/callback-errors > C7: an error without a state, or with a wrong one, belongs to no login',
      'core/oauth1/strategy > C7: a denial counts only for a request token with a pending login',
    ],
    'Client secret or code verifier are in the body or a header, never in a URL.': [
      'security/requests > T11: no URL contains a token, code, secret or verifier, in a series of logins and token calls',
    ],
    'Each rule has tests whose titles begin with its number.': [
      'tools/security-rules > fails if a rule has no test, and names the rule',
    ],
    'no option turns the state off;': ['security/states > C1: no option turns the state off'],
    'without a pending login, the callback request is a failure, 403, and no request is sent to the network':
      [
        'security/single-use > C1: an authorization response without a pending login is 403, with no request to the network',
      ],
    'the pending login is taken before anything in the response is trusted, and its cookie is removed whatever happens next;':
      [
        'security/single-use > C2: after a successful login, the same authorization response is 403, here and in another process',
        'security/single-use > C2: after a declined login, the same authorization response is 403, here and in another process',
        'security/single-use > C2: after an error in verify, the same authorization response is 403, here and in another process',
        'security/single-use > C2: after an unreachable network, the same authorization response is 403, here and in another process',
      ],
    'in each process the replay guard of its store remembers the logins whose code was sent;': [
      'core/login/pending-logins > C2: a login is taken once; after its use the second time is used_login',
      'security/replays > C2, C26: two strategy objects with one store share its replay guard',
    ],
    '`claim` records them for all processes.': [
      'security/replays > C2, C26: with claim, two processes that get one authorization response at once post one code',
    ],
    'each login has its own cookie;': [
      'security/tabs > C3: eight tabs with a forged response between them finish in mixed order, at applications that share only the client secret',
    ],
    '8 are kept in one browser (`limit`), and the oldest is dropped first': [
      'security/tabs > C3: eight pending logins are kept, and the oldest is dropped first',
      'security/tabs > C3: as many pending logins as the limit of the store are kept, and the oldest is dropped first',
    ],
    'all three are part of the digest that identifies a login': [
      "security/cookie-logins > C4: one network's authorization response is 403 at another network with the same client",
      "security/cookie-logins > C4: one client's authorization response is 403 at another client with the same strategy name",
    ],
    'C5 a state cannot be guessed': [
      'security/states > C5: a state is 32 bytes from the cryptographic source, never shared with another caller',
    ],
    'C7 errors are trusted only with a valid state': [
      'security/callback-errors > C7: an error without a state, or with a wrong one, belongs to no login',
    ],
    "the network's words are in a separate property, cleaned, 300 characters at most": [
      "security/callback-errors > C8: seven thousand characters in an error response change no message, and are truncated and cleaned in the error's fields",
      'core/oauth2/authorization-errors > C8: both are cut to three hundred characters',
    ],
    'C9 each parameter once, as a string': [
      'security/callback-parameters > C9: a parameter that comes twice, as an array, as an object or empty is 400, with no request to the network',
    ],
    'arrays, objects and overlong values are a failure, 400, and no request is sent.': [
      'security/callback-parameters > C9: a parameter that comes twice, as an array, as an object or empty is 400, with no request to the network',
      'security/callback-errors > C8, C9: a parameter of one megabyte is a failure and is not echoed',
    ],
    'only the query is read, never the body': [
      'security/callback-parameters > C10: no required parameter is read from the body',
      'security/callback-parameters > C10: a body that the application has parsed is not read',
    ],
    'C12 a stray request starts no login': [
      'security/callback-parameters > C12: a request with a single authorization response parameter is a failure and starts no new login',
    ],
    'the token request is never repeated': [
      'security/single-use > C13, T15: a token request that gets 503 or loses its connection is not retried',
    ],
    'short-video (hex), microblog 2.0, VK ID: always, and no option weakens it;': [
      'security/code-exchange > C15: the challenge is the SHA-256 of the posted verifier',
      'security/code-exchange > C15: the option pkce rejects plain and false',
    ],
    'C16 the verifier cannot be guessed': [
      'security/code-exchange > C15, C16: the verifier is neither the state nor derived from it',
      'core/login/pending-logins > C5, C16: a random secret has 43 characters of base64url, all of them random',
    ],
    "C17 the application's state cannot be altered": [
      'security/app-state > C17: application state is never in a URL; the state there is random',
    ],
    "the cookie's name and the login's digest are associated data, so the cookie cannot be decrypted for another login;":
      ['security/cookie-logins > C18: the cookie of another login or another strategy is 403'],
    'C21 neither cached nor leaked': [
      'security/browser-answers > C21: neither the redirect nor the page at the callback URL is cached or sends a Referer',
      'security/browser-answers > C21: a declined login and an error are not cached and send no Referer',
    ],
    'no strategy redirects to a value from the query;': [
      'security/browser-answers > C22: a URL in the query of a request is never a redirect target',
    ],
    'they are requested only if it was granted.': [
      'short-video/strategy > C23: the default fields are limited to the granted scopes',
    ],
    'C24 only a visit finishes a login': [
      'hostility/hostility > C24: other methods and prefetching use up nothing: methods microblog',
    ],
    '`HEAD`, `OPTIONS`, `POST`, other methods and prefetching are a failure, 405, and use up nothing': [
      'security/navigations > C24: a HEAD request with an authorization response spends nothing, and the login finishes afterwards',
      'security/navigations > C24: a OPTIONS request with an authorization response spends nothing, and the login finishes afterwards',
      'security/navigations > C24: a PUT request with an authorization response spends nothing, and the login finishes afterwards',
      'security/navigations > C24: a prefetch by a browser with an authorization response spends nothing, and the login finishes afterwards',
      'security/navigations > C24: a POST request with an authorization response spends nothing, and the login finishes afterwards',
    ],
    "it is that browser's cookie.": [
      'security/browsers > C1, C25, O3: a planted session does not let another browser finish the login that was begun in it',
    ],
    'With a callback URL that was resolved against the request, a login finishes only under the host name and protocol under which it began.':
      [
        'core/oauth2/authorization > C25: a login that began under another host or protocol does not finish with a relative callback URL',
      ],
    'Users are told apart by what Passport serialized, or else by `id`, `_id` or `sub` of `req.user`, or by the whole user':
      [
        'core/login/pending-logins > C25: finishes only for the user who began it, who is in Passport’s session',
        'core/login/pending-logins > C25: users whom only their issuer tells apart are never taken for one',
      ],
    "Forged starts with a long state cannot push out the user's own login with a short one, unless your own cookies leave no room for both":
      ['security/room > C27, C37: logins with a long state push out only each other, the largest first'],
    'it writes nothing to `req.session`, and makes no call to its store': [
      'security/sessions > C28: a login causes the same calls to the session store as a strategy that keeps nothing',
      'security/sessions > C28: a link causes the same calls to the session store as a strategy that keeps nothing',
    ],
    '`fetch`, frames, images, prefetching, `HEAD` and foreign forms are a failure, 403, without a cookie and without a request to the network.':
      [
        'security/foreign-pages > C33: starts no login by images, frames, scripts, prefetching, fetch or forms in frames',
        'security/navigations > C33: a form of another site starts no login: no cookie, no request to the network, and a sentence that says why',
        'security/navigations > C33: a HEAD request starts no login: no cookie, no request to the network, and a sentence that says why',
      ],
    'it has two places of its own, and pushes out only its like.': [
      "security/room > C34: are marked, at most two, and push out only each other, never the user's eight",
      "security/room > C34: push out none of the user's by their size, and are refused where they do not fit",
    ],
    '`passport.authorize` finishes only logins that the same user began with `passport.authorize` on a page of your site':
      [
        'security/browsers > C34: a login that authenticate began never finishes through authorize, whoever is signed in',
        'security/browsers > C34: a login that another site began never finishes through authorize',
      ],
    'C37 all cookies of a request count': [
      'security/room > C37: a login that does not fit beside the cookies of the application is refused with 431, before a cookie is set',
    ],
    'T3 forwarded headers from a trusted proxy only': [
      'core/login/redirect-uri > T3: follows forwarded headers only where the framework trusts the proxy, or with the option proxy',
    ],
    'T4 no redirect is followed with credentials': [
      'security/transport > T4: a 307 at any endpoint is an error that names only the other host, and is not followed',
    ],
    'each redirect is an error that names only the host': [
      'security/transport > T4: a 301 at any endpoint is an error that names only the other host, and is not followed',
      'security/transport > T4: a 302 at any endpoint is an error that names only the other host, and is not followed',
      'security/transport > T4: a 303 at any endpoint is an error that names only the other host, and is not followed',
      'security/transport > T4: a 307 at any endpoint is an error that names only the other host, and is not followed',
      'security/transport > T4: a 308 at any endpoint is an error that names only the other host, and is not followed',
      'core/http/client > T4: a 300 and a 304 are no usable responses either',
    ],
    '10 seconds for each request, from name resolution to the last byte: `timeout`': [
      'core/http/failures > T5: each request has its own deadline, whatever others do',
      'security/transport > T5: the deadline of a request is ten seconds unless the option timeout sets another',
      'security/transport > T5: a network that sends one byte at a time, in headers or body, ends the login at the deadline',
      'core/http/deadlines > T5: a deadline that passes before the request can be sent ends it',
    ],
    'T11 no token in a URL': [
      'security/requests > T11: no URL contains a token, code, secret or verifier, in a series of logins and token calls',
      'security/requests > T11: no URL of a fallback, a retry or a failed request contains a secret',
    ],
    'T14 no exception outside the request': [
      'security/exceptions > T14: verify: an exception is one Passport error',
      'security/exceptions > T14: save of a store: a rejection is one Passport error',
      'security/exceptions > T14: an agent that throws is one Passport error',
    ],
    'verify, stores and overridden methods may throw, reject, call back twice or never: a login has one outcome, and code that never answers is given up after a minute.':
      [
        'security/exceptions > T14: verify, userProfile: an error passed to done is one Passport error',
        'security/exceptions > T14, S6: a verify that calls done twice and then throws has one outcome',
        'security/exceptions > T14: take of a store: a rejection is one Passport error',
        'security/exceptions > T14: verify: a function that never settles ends the login in an error after a minute',
        'security/exceptions > T14: userProfile: a function that never settles ends the login in an error after a minute',
        'security/exceptions > T14: save of a store: a function that never settles ends the login in an error after a minute',
        'security/exceptions > T14: take of a store: a function that never settles ends the login in an error after a minute',
      ],
    "profile GETs of TikTok and VK's classic protocol only, twice at most, with `Retry-After` and jitter (a random delay, so that clients do not all retry at once)":
      [
        'security/requests > T15: a profile request that gets 503 is retried at most twice, and only if it is a GET',
        'security/requests > T15: a POST is never retried',
      ],
    '`shareConnections: false` gives each request its own': [
      'core/http/connections > T16: with shareConnections: false, each request has a connection of its own, opened in advance or not',
      'contract > T16: with the option shareConnections: false no two logins share a connection',
    ],
    'or to this machine only, also through `_oauth2` and `_oauth`': [
      'core/oauth2/base-client > T18: a token is not sent over plain http to another machine',
      'core/oauth1/base-client > T18: a signed request is not sent over plain http to another machine',
    ],
    'an authorization response without it is a failure, and no request is sent': [
      'security/oauth1 > O2: an authorization response without a verifier is a failure, with no request to the network',
    ],
    'the microblog network documents only HMAC-SHA1, so nothing else is supported': [
      'security/oauth1 > O8: SHA-256, which the network does not document, is not offered',
    ],
    'S1 no secret in an error': [
      'security/secrets > S1: no error, failure or warning shows a secret that a network echoes as every known place at once, plain',
    ],
    'The first fifty are searched for': [
      'core/errors/redaction > S1: of many secrets the first ones are searched for, of a long text and a long secret the beginning',
    ],
    'Of an error of your own agent only the code is shown': [
      'core/http/failures > S10: the message of an application’s agent is neither in the message nor in the cause',
      'core/http/failures > S10: the same is true of an agent that is set later',
    ],
    'S2 printing a strategy shows no secret': [
      'security/secrets > S2: printing a strategy, its HTTP client or any of its properties shows no secret before or after a login',
    ],
    'S3 no login without an ID': [
      'security/identity > S3: a record with a missing or invalid identifier logs nobody in',
      'security/identity > S3: a record that is empty at any depth logs nobody in',
    ],
    'no address is made up': [
      'security/identity > S4: a profile has no emails key if the user has no address or it was not requested',
      'security/identity > S4: a network without e-mail addresses gives none, even if its record contains one',
    ],
    'S5 nothing of a request on the strategy': [
      'security/tabs > S5: a login through the strategy instance leaves nothing on it except the actions of Passport',
    ],
    'requests pass everything on as arguments, and each has its own Passport actions': [
      "security/tabs > S5: 100 interleaved logins through the strategy's instance each log in the right user",
      'core/login/flow > S5: the copy for a request keeps what a subclass puts on it; it and the strategy get nothing but Passport’s actions',
    ],
    'as a warning on the console, once for each reason;': [
      'security/production > S9: says in the console why, once for each reason',
    ],
    'never in production, where anyone could fill the log': [
      'security/production > S9: says nothing in production, where anyone could fill the log',
    ],
    'Only logins whose code was sent to the network count: to push one out takes 100,000 requests to the network within ten minutes.':
      [
        'security/replays > C26: a login that is denied at the network is not claimed, and fills no memory',
        'core/login/pending-logins > remembers a hundred thousand logins and forgets the oldest first',
      ],
    'A connection on which anything arrives while no request uses it is closed.': [
      'core/http/connections > a response without a request is never taken for the response to the next request',
      'core/http/connections > T16: a response that arrives while the process is busy is never taken for the response to the next request',
    ],
    '`shareConnections: false` ends that: each request has a connection of its own, on which nothing can follow an earlier response.':
      [
        'core/http/connections > T16: with shareConnections: false, a response that follows another one is never taken for the response to the next request',
        'core/http/connections > T16: with shareConnections: false, each request has a connection of its own, opened in advance or not',
      ],
  },
  'docs/pending-logins.md': {
    'Several tabs can log in at once, in any order.': [
      'security/tabs > C3: eight tabs with a forged response between them finish in mixed order, at applications that share only the client secret',
    ],
    'A forged callback request cannot break another login.': [
      'security/tabs > C3: eight tabs with a forged response between them finish in mixed order, at applications that share only the client secret',
    ],
    'The cookie works for one strategy, client, network, redirect URI and state: one of a staging server is worth nothing in production':
      [
        'security/cookie-logins > C35: a login that began at staging is 403 in production, with absolute redirect URIs, with the same secret',
      ],
    'up to 220 bytes with its name if the redirect URI is absolute, up to 300 otherwise.': [
      'security/room > C37: the cookie of a login has at most 220 bytes with an absolute redirect URI, and 300 with a relative one',
    ],
    'All cookies of your host count towards a limit of 7,400 bytes, because common servers accept 8,192 for all headers of a request.':
      [
        'security/room > C37: a login that does not fit beside the cookies of the application is refused with 431, before a cookie is set',
      ],
    "So all machines and processes of your application have the same key, and finish each other's logins.": [
      'security/tabs > C3: eight tabs with a forged response between them finish in mixed order, at applications that share only the client secret',
    ],
    'The strategy uses it for the key and never sends it.': [
      'social-network/vk-id/secrets > the client secret, the key of pending logins, is never sent',
    ],
    'With `NODE_ENV=production` the key cannot come from a client secret that has fewer than 20 characters or contains the word "sandbox".':
      [
        'security/production > C38: in production a client secret of fewer than 20 characters is a TypeError that prints the line to add',
        'security/production > C38: in production a client secret of the sandbox is a TypeError that prints the line to add',
      ],
    'They set no cookie, and no request goes to the network.': [
      'security/navigations > C33: fetch of a page of the application starts no login: no cookie, no request to the network, and a sentence that says why',
    ],
    '[Leave the page instead](single-page-apps.md#blocked-by-cors-policy-why-fetch-cannot-start-a-login)': [
      'security/navigations > C33: fetch of a page of the application starts no login: no cookie, no request to the network, and a sentence that says why',
    ],
    'starts a login, which never links an account': [
      'security/browsers > C34: a login that another site began never finishes through authorize',
    ],
    'It is kept with the pending login, comes back as `info.state`, and never appears in a URL.': [
      'security/app-state > C17: an object as application state comes back as info.state',
      'security/app-state > C17: application state is never in a URL; the state there is random',
    ],
    'They need the same client secret, or the same `secrets`, and nothing else.': [
      'security/tabs > C3: eight tabs with a forged response between them finish in mixed order, at applications that share only the client secret',
    ],
  },
};
