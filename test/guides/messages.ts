import type { Hints } from '../../lib/core/http/index.js';
import { HINTS as microblog } from '../../lib/microblog/error-responses.js';
import { HINTS as shortVideo } from '../../lib/short-video/error-responses.js';
import { HINTS as socialNetwork } from '../../lib/social-network/error-responses.js';
import { type Literal, literalsIn } from './literals.js';

/** A message as somebody pastes it into a search. */
export interface Message {
  readonly whole: string;
  /** The longest run of its words that are always the same. */
  readonly fixed: string;
  /** The beginning of its entry's heading, if other entries have the same words. */
  readonly under?: string;
  /** Another page that has an entry. */
  readonly page?: string;
}

/**
 * Messages of the library. Values are between « and ». The entry has the words before a ¦ in one piece; another sentence, often a remedy, follows.
 */
const LIBRARY: readonly string[] = [
  // Failures.
  'The user declined the login at the network.',
  'The account is deleted, banned or deactivated at the network; nobody can log in with it.',
  '«This callback belongs to no pending login of microblog.» The browser sent no cookie: the login started on another host name (localhost and 127.0.0.1 are two), or the cookie is Secure over http.¦Start the login again.',
  '«This callback belongs to no pending login of short-video.» It was started in another browser or by another strategy, was finished already, or its cookie is gone.¦Start the login again.',
  'This login was not begun by passport.authorize, on a page of this site, by the user who is signed in, so its account cannot be linked. Sign in, then link the account again.',
  'A login starts when a browser opens its page: by a link, a redirect, window.location or a form of this site, but not by fetch, a service worker, a frame, an image or a page loaded in advance. Open the page that starts the login.',
  'The cookies of this site leave no room for a login. Delete the cookies of this site in the browser, then start the login again.',
  'This login began under another host name or protocol. Start the login again, at the address of this page.',
  'This callback was used already: the page was reloaded or the link opened twice. Start the login again.',
  'This login took longer than allowed and has expired. Start the login again.',
  'This callback comes from a different server than the one that was asked. Start the login again.',
  'Only a GET request, by a browser that opens the page, finishes a login. Nothing was used up: open the URL of the callback again.',
  "The callback's parameter «state» was sent twice, is empty, is too long or is not a string. Start the login again.",
  'The callback has no code. Start the login again.',
  'The callback has no oauth_verifier. Start the login again.',
  'The callback has no device_id, without which the network issues no token. Start the login again.',
  "The callback's payload is not JSON. Start the login again.",
  // Errors.
  '«microblog», «token»: no usable response from «api.x.com»: «connect ECONNREFUSED 127.0.0.1:443».',
  '«social-network», «profile»: no usable response from «api.vk.ru»: «read ECONNRESET».',
  '«short-video», «token»: no usable response from «open.tiktokapis.com»: «getaddrinfo ENOTFOUND open.tiktokapis.com». Check the host name and DNS; behind a proxy pass the option agent.',
  '«microblog», «token»: no usable response from «api.x.com»: the agent failed.',
  '«microblog», «token»: no usable response from «api.x.com»: no reason given.',
  '«microblog», «token»: no usable response from «api.x.com»: the response switches to another protocol.',
  '«social-network», «token»: no usable response from «oauth.vk.ru»: «self-signed certificate in certificate chain (SELF_SIGNED_CERT_IN_CHAIN)». If the network or a proxy uses a private certificate authority, name it in NODE_EXTRA_CA_CERTS or in the option agent.',
  '«microblog», «profile»: no usable response from «api.x.com»: no complete response in time. The deadline is the option timeout, now «10000» milliseconds.',
  '«microblog», «profile»: no usable response from «api.x.com»: the response was cut short «(ECONNRESET)».',
  '«microblog», «refresh»: no usable response from «api.x.com»: the response was cut short «(ECONNRESET)».¦The refresh token may be spent all the same: keep it, and if the next refresh is refused, let the user log in again.',
  '«microblog», «token»: no usable response from «api.x.com»: a compressed response that cannot be expanded «(Z_DATA_ERROR)».',
  '«microblog», «token»: no usable response from «api.x.com»: a response in an unknown content encoding.',
  '«microblog», «token»: no usable response from «api.x.com»: a response of more than «1048576» bytes.',
  '«microblog», «token»: HTTP «301» redirects to «x.com», and no redirect is followed with credentials.¦Check the address in the options: a missing slash or an old host is the usual cause.',
  '«microblog», «token»: HTTP «302» redirects to an unreadable address, and no redirect is followed with credentials.¦Check the address in the options: a missing slash or an old host is the usual cause.',
  '«short-video», «token»: the network refused: «something_new "Something that nobody knows."»',
  '«microblog», «token»: the network refused without a reason«. HTTP 400.»',
  '«short-video», «token»: expected a JSON object, but HTTP «502» returned «a page (HTML or XML, 532 characters)».¦The network has a fault; try again later.',
  '«microblog», «profile»: expected a JSON object, but HTTP «200» returned «an empty body».¦Check the address in the options, and for a proxy or a captive page in between.',
  '«microblog», «request token»: expected a form with each name once, but HTTP «200» returned «a page (HTML or XML, 4211 characters)».¦Check the address in the options, and for a proxy or a captive page in between.',
  '«microblog», «token»: expected a response or an error, but HTTP «403» returned «text that is not UTF-8 (17 characters)».¦Check the address in the options, and for a proxy or a captive page in between.',
  '«social-network», «profile»: expected a JSON object, but HTTP «200» returned «JSON null».¦Check the address in the options, and for a proxy or a captive page in between.',
  '«social-network», «profile»: expected a JSON object, but HTTP «200» returned «a JSON array (2 characters)».¦Check the address in the options, and for a proxy or a captive page in between.',
  '«short-video», «token»: the response has no access token that is a string of visible ASCII characters. Check tokenURL; community or application tokens are no logins.',
  '«microblog», «request token»: the response lacks oauth_token or oauth_token_secret, or they are too long. Check the addresses in the options.',
  '«microblog», «token»: the response does not say that its token is a bearer token. Check tokenURL.',
  '«microblog», «request token»: the network did not confirm the callback URL, as OAuth 1.0a demands. Check requestTokenURL.',
  '«social-network», «token»: the response belongs to another request: its state is not the one that was sent. Check tokenURL.',
  ...[
    'no open_id',
    'no data.user.open_id',
    'no id_str',
    'no data.id',
    'no response[0].id',
    'no user.user_id',
    'an identifier that is not valid Unicode',
    "another user's open_id than the token response's",
    "another user's id_str than the token response's user_id",
    "another user's id than the token response's user_id",
    "another user's user_id than the token response's",
  ].map(
    (found) =>
      `«microblog», «profile»: the response has «${found}». Nobody is logged in unless the identifier is certain. Check the addresses in the options.`,
  ),
  // TypeErrors during a login, a refresh or a revocation.
  "The callback URL is relative and the request's host is missing or ambiguous. Pass an absolute callbackURL.",
  'cookieLogins: a cookie must be set, and the framework offers no response at req.res.¦Add «app.use(exposeResponse)» before Passport, with exposeResponse from passport-social-networks.',
  'cookieLogins: a cookie must be set, and the response was sent already.',
  'cookieLogins: the login would need a cookie of «4211» bytes, and browsers accept «3900». Give passport.authenticate a smaller state, for example an identifier.',
  'verify neither called done nor returned a promise of a user within «60» seconds.',
  'verify returned no user: no promise, plain object or false. Is a return or async missing?¦It declares «3» parameters, too few to receive done; parameters with a default value do not count.',
  'verify read «id» of done, as if it were the profile. If its parameters are params and profile, set the option passParamsToCallback: true.',
  'verify rejected without an error.',
  'The application failed without an error.',
  'The login store did not answer within «60» seconds.',
  '«skipUserProfile» did not answer¦within «60» seconds.',
  '«claim» did not answer¦within «60» seconds.',
  '«userProfile» did not call back¦within «60» seconds.',
  '«microblog»: option profile must return an object with an id that is a non-empty string.',
  '«microblog»: the scope given to authenticate must be a string or an array of strings.',
  '«microblog»: the state given to authenticate has «2048» bytes as JSON, and at most «1024» are kept. Give a shorter one, for example an ID, or raise the option stateLimit.',
  '«microblog»: the state given to authenticate must be JSON: strings, finite numbers, true, false, null, and plain objects and arrays of them. Convert anything else, for example a date with toISOString().',
  'sessionLogins: a pending login is kept in an encrypted cookie of its own now, and no longer in the session. Leave out the option store; for a lifetime or a limit of your own, give store: cookieLogins({ lifetime, limit }).',
  '«microblog»: «http://api.example» is not https, and credentials are sent in the clear only to this machine.',
  '«short-video»: «refresh» needs a token that is a non-empty string.',
  '«short-video»: «revoke» needs a token that is a non-empty string.',
  "«social-network»: the classic protocol has no «refresh tokens»; VK ID (version: '2.1') has.",
  "«social-network»: the classic protocol has no «revocation»; VK ID (version: '2.1') has.",
  "«social-network»: refresh(refreshToken, deviceID) needs the device_id of the login's params.",
  // Warnings.
  '«short-video»: option callbackURL is «http://shop.example/api/auth/callback/short-video». The network accepts https only; a URL on this machine must be registered as a Desktop redirect, and then needs a port.',
  '«microblog»: option callbackURL is «http://shop.example/api/auth/callback/microblog». The network accepts plain http on 127.0.0.1 only, and a browser sends the code in the clear. Use https.',
  '«social-network»: option callbackURL is «http://shop.example/api/auth/callback/social-network». A browser sends the code in the clear. Use https.',
  '«microblog»: option callbackURL is «http://shop.example/api/auth/callback/microblog». A proxy says that the browser came with https: tell your framework to trust it¦(trust proxy in Express and NestJS, trustProxy in Fastify, app.proxy in Koa), or give an absolute callbackURL.',
  '«microblog»: a login began at .../signin/«x», and its callback URL is «http://localhost:3000/api/auth/callback/microblog». If Passport knows the strategy as «x», set the option name, too; otherwise set callbackURL.',
  "«microblog»: a login began at «http://localhost:3000», and its redirect URI is at «http://127.0.0.1:3000»: the browser will not send the login's cookie there. Open the application at «http://127.0.0.1:3000», or change callbackURL.",
  '(node:«4242») Warning: «verify» gave a second outcome; the first one stands.',
  '(node:«4242») Warning: An error handler of the application threw («TypeError») while it handled a login.',
  '(node:«4242») Warning: A callback of the application threw («TypeError») while it handled a login.',
  '(node:«4242») Warning: The callback of the application threw («ReferenceError») while it handled a login.',
  '(node:«4242») Warning: The sandbox was started with NODE_ENV=production. Anyone who can reach it can log in as anyone: use it for development and tests only.',
  // Other packages.
  'Error: Unknown authentication strategy "«microblog»"',
  'Error: Login sessions require session support. Did you forget to use `express-session` middleware?',
  "TypeError: Cannot read properties of undefined (reading 'messages')",
  'Error: secret option required for sessions',
  'Error: Failed to serialize user into session',
  'Error: Failed to deserialize user out of session',
  'TypeError: req.session.regenerate is not a function',
  'TypeError: req.session.save is not a function',
  'Error: Cannot send secure cookie over unencrypted connection',
  'TokenError: Failed to obtain access token',
  'Unable to verify authorization request state.',
  'Error: Failed to find request token in session',
  '431 Request Header Fields Too Large',
  'TypeError: «Strategy» is not a constructor',
  'Cannot GET «/api/auth/callback/microblog»',
];

/** Where the sandbox says why it rejects a request, or notes it. */
const REASONS = /(authorization|oauth|world|oauth1|oauth2|api|classic|vk-id|error-responses|server)\.ts$/;

/** What the sandbox's networks say in the same files: the words of the real ones, names and other texts that are no reasons. */
const NO_REASONS = [
  /^[A-Z]/,
  /\w\.\w+ \w+\.|email phone|^the bearer token$|case sensitive routing|no access to your account/,
  // Lists of fields, and words of the authorization page and the clock.
  /affiliation|author_id|email connection|entities geo|parody|your_dm|reply_settings|to log you in|left out|no e-mail|advance takes/,
];

/** Values for the reasons that have some. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  '… is missing, or not one that this sandbox gave out': ['code', 'refresh_token', 'the bearer token'],
  '… has expired': ['code', 'refresh_token', 'the bearer token'],
  '… was used before': ['code', 'refresh_token', 'the bearer token'],
  '… belongs to another client, or its consent has ended': ['code', 'refresh_token', 'the bearer token'],
  '… names a value that does not exist': ['user.fields', 'expansions'],
  '… names a value that not every version of the API description has': ['tweet.fields'],
  '… is missing, empty or given twice': ['client_id', 'grant_type'],
  '… is missing or empty': ['oauth_nonce'],
  '… needs …, which was not granted': ['display_name needs user.info.profile, which was not granted'],
  '… has a value that does not exist': ['lang_id', 'provider'],
};

/** Messages of the sandbox's start, each with values between « and ». */
const SANDBOX: readonly string[] = [
  'passport-social-networks-sandbox: port «4000» is in use: stop the program that listens on it, or choose another, such as --port «4001»',
  'Error: startSandbox: port «4000» is in use. Take another, such as startSandbox({ port: «4001» }), or leave port out for any free one.',
  'passport-social-networks-sandbox: no permission to listen on port «80»: choose one from 1024 up with --port',
  'passport-social-networks-sandbox: --host is not an address of this machine: leave it out, or use 127.0.0.1',
  'passport-social-networks-sandbox: NODE_ENV is production, and the sandbox lets anyone log in as anyone: unset NODE_ENV, or add --allow-production',
  'WARNING: other machines can reach this sandbox and log in as anyone. Leave out --host to keep it on this machine.',
  'passport-social-networks-sandbox: «sandbox.yaml» exists already: remove it, or name another file',
  'passport-social-networks-sandbox: «certificate.pem» cannot be written («EACCES»)',
  'passport-social-networks-sandbox: «people.json» cannot be read («ENOENT»): check the path after --people',
  'passport-social-networks-sandbox: «sandbox.yaml» cannot be read («ENOENT»): check the path after --config',
  'passport-social-networks-sandbox: «people.json» is not JSON: it must be a list of people, [{ "id": "zoe", ... }]',
  "TypeError: sandbox.options: unknown network «'twitter'». Did you mean sandbox.options('«microblog»')?",
  "TypeError: sandbox.options: unknown combination of network, version and client: «'short-video', '1.0'». There are «'short-video'».",
  'The sandbox responds to localhost, 127.0.0.1 and [::1] only.',
  'Nothing is here. No endpoint of the sandbox has the path «/oauth/token».',
  'The login is unknown: it is finished already, or was forgotten.',
  'The «token» request got «status 400». The console says why.',
  'the control is closed to web pages',
  'the control serves this machine only',
  'the control responds to localhost, 127.0.0.1 and [::1] only',
  'the header X-Sandbox-Control: 1 is missing',
  'no such request within «5000» milliseconds',
];

/** Lines of the check, each with values between « and ». */
const CHECK: readonly string[] = [
  '✗ Node  «18.20.4» is older than «20.19»¦Install Node «20.19» or newer.',
  '✗ «api.x.com»  DNS has no address for this name («ENOTFOUND»)¦Check the name in the options, and the DNS of this machine.¦If requests must go through a proxy, give the strategy an agent.',
  '✗ «api.x.com»  DNS has no address for this name («EAI_AGAIN»)¦Check the name in the options, and the DNS of this machine.¦HTTPS_PROXY is set, but a strategy uses only the proxy of its option agent.',
  '✗ «api.x.com»  no connection to port «443» («ETIMEDOUT»)¦Allow «api.x.com», port «443», in the firewall.',
  '✗ «api.x.com»  no connection through «the proxy of HTTPS_PROXY» («ECONNREFUSED»)¦Check the address and the password of the proxy, and whether it allows «api.x.com», port «443».',
  '✗ «api.x.com»  connected («DNS, TCP, TLS»), but no response («ETIMEDOUT»)¦Try again later. If it stays so, something between this machine and «api.x.com» swallows the requests: a firewall or a proxy.',
  "✗ «id.vk.ru»  the certificate, signed by «Example CA», is not valid now («CERT_HAS_EXPIRED»)¦Check this machine's clock. If it is right, the host or a proxy in between has to renew its certificate.",
  '✗ «id.vk.ru»  the certificate, signed by «Example CA», is for another name («ERR_TLS_CERT_ALTNAME_INVALID»)¦Check the address in the options. A page that wants a sign-in, as in a hotel, or a proxy may answer in the place of the network.',
  '✗ «id.vk.ru»  no encrypted connection («EPROTO»)¦Check the address in the options, and whether a proxy or a firewall ends encrypted connections.',
  "✗ «id.vk.ru»  the certificate is signed by «Example CA», which Node does not trust («SELF_SIGNED_CERT_IN_CHAIN»)¦If that is your company's authority, save its root certificate as a PEM file and start Node with NODE_EXTRA_CA_CERTS=<file>, or put it into the option ca of the agent. If you do not know it, someone reads along: ask who runs the network that this machine is in.",
  '✗ «id.vk.ru»  the certificate is signed by «Russian Trusted Root CA», which Node does not trust («SELF_SIGNED_CERT_IN_CHAIN»)¦Download the root certificate of «Russian Trusted Root CA» from «https://www.gosuslugi.ru/crt» as a PEM file, compare its SHA-256 fingerprint with «D2:6D», and start Node with NODE_EXTRA_CA_CERTS=<file>, or put it into the option ca of the agent.',
  '✗ «id.vk.ru»  the certificate is signed by «Russian Trusted Root CA», which Node does not trust («SELF_SIGNED_CERT_IN_CHAIN»)¦Do not trust it: a certificate of this name was sent, but it is not the root of «Russian Trusted Root CA», whose SHA-256 fingerprint is «D2:6D». Ask who runs the network that this machine is in.',
  '✗ «api.x.com»  its certificate is not verified, so anyone on the way can read the credentials¦Remove NODE_TLS_REJECT_UNAUTHORIZED from the environment, and rejectUnauthorized from the agent.',
  "✗ clock  «2 hours behind» that of «api.x.com», and OAuth 1.0a signs the time¦Set this machine's clock, and let it follow a time server (NTP).",
  "? clock  «3 minutes ahead of» that of «api.x.com». OAuth 2.0 sends no time, but certificates and the expiry of tokens depend on it¦Set this machine's clock, and let it follow a time server (NTP).",
  '✗ clock  «X» refuses the timestamp of the request: «135 "Timestamp out of bounds."»; «2 hours behind that of api.x.com»¦Set this machine\'s clock, and let it follow a time server (NTP).',
  '? clock  no host says what time it is',
  "✗ callbackURL  «http://localhost:3000/api/auth/callback/microblog»: X's documentation rules out localhost¦Use http://127.0.0.1 with the same port, at X, in callbackURL and in the browser.",
  "✗ callbackURL  «http://shop.example/api/auth/callback/microblog»: X's documentation asks for https, and a browser would send the code in the clear¦Use https. On your own machine use http://127.0.0.1.",
  '✗ callbackURL  «https://shop.example/callback?a=b»: TikTok accepts no redirect URI that has a query¦Register and use a URL without "?".',
  '✗ callbackURL  «https://shop.example/callback»: TikTok accepts no redirect URI that has 512 characters or more¦Use a shorter URL.',
  '✗ callbackURL  «http://shop.example/callback»: TikTok accepts no redirect URI that is plain http¦Use https. On your own machine use http://127.0.0.1 with a port.',
  '✗ callbackURL  «http://[::1]:3000/callback»: TikTok accepts no redirect URI that is neither at localhost nor at 127.0.0.1¦Use http://127.0.0.1 with a port.',
  '✗ callbackURL  «http://localhost/callback»: TikTok accepts no redirect URI that names no port¦A URL on your own machine needs one: http://127.0.0.1:3000/...',
  '✗ callbackURL  «http://shop.example/callback»: a browser would send the code in the clear, because this is plain http¦Use https.',
  '? callbackURL  «https://shop.example/callback»: this check does not know what the network demands',
  "? callbackURL  «http://localhost:3000/callback»: VK's documents do not say. django-allauth reports that only http://localhost at port 80 or 443 works; better-auth and Strapi name other ports¦If VK shows an error page, use http://localhost at port 80, or https with a public name.",
  '? callbackURL  «http://shop.example/callback»: «the network» accepts it, but a browser would send the verifier in the clear¦Use https.',
  '? callbackURL  «/api/auth/callback/microblog» becomes a URL with the host of each request¦Give the address that browsers use, and it is checked: BASE_URL=https://your.domain for the command, { callbackURL } for check().',
  '? registration  only a login shows whether the application has the callback URL at the network¦Register «https://shop.example/callback» at «id.vk.ru», character for character.',
  '✗ registration  «X» does not have this callback URL for the application: «415 "Callback URL not approved for this client application."»¦Register «https://shop.example/callback» at «console.x.com», character for character.',
  '✗ registration  «X» has no callback URL for the application: «417 "Desktop applications only support the oauth_callback value \'oob\'"»¦Register «https://shop.example/callback» at «console.x.com», character for character.',
  '✗ login  «X» refuses the request that begins each login: «999 "New"»¦Look at the application\'s state and settings at «console.x.com».',
  '✗ credentials  «TikTok» does not accept this pair of client key and client secret: «invalid_client "Client key or secret is incorrect."»¦Copy the client key and client secret again from «developers.tiktok.com». Usual causes: the two are swapped; the secret was renewed; one is from a sandbox of TikTok and the other from production, which have different pairs; they are from the Business or Shop portal; a character is missing or wrong.',
  '✗ credentials  «X» knows the client ID, but the client secret is missing or wrong: «unauthorized_client "Missing valid authorization header"»¦Copy the Client Secret again from console.x.com, or regenerate it there. A Web App, Automated App or Bot is a confidential client, which needs it; a Native App or Single page App has none.',
  '✗ credentials  «X» does not know the client ID: «invalid_client "Value passed for the client id was invalid."»¦Copy the client ID and client secret again from console.x.com. Usual causes: the two are swapped; it is the API Key, which belongs to OAuth 1.0a; OAuth 2.0 is not set up in "User authentication settings"; a character is missing or wrong.',
  '✗ credentials  «X» does not accept this pair of API key and API key secret: «32 "Could not authenticate you."»¦Copy the API key and API key secret again from console.x.com. Usual causes: the two are swapped; they are the Client ID and Client Secret, which belong to OAuth 2.0; they are an access token and its secret; the key was regenerated; they are from different applications; a character is missing or wrong.',
  '✗ credentials  «X» cannot verify this pair of API key and API key secret: «89 "Invalid or expired token."»',
  '✗ credentials  «X» cannot use these credentials: «215 "Bad Authentication data."»',
  '✗ credentials  «X» cannot validate what API key and API key secret sign: «Failed to validate oauth signature and token»',
  '✗ credentials  «X» does not permit the application to do this: «87 "Client is not permitted to perform this action."»¦Look at the application\'s state, package and permissions at console.x.com.',
  '✗ credentials  «X» gives the application no access with these credentials: «220 "Your credentials do not allow access to this resource."»¦Look at the application\'s state, package and permissions at console.x.com.',
  '✗ credentials  «X» has suspended the application: «416 "Invalid / suspended application"»¦Look at the application\'s state, package and permissions at console.x.com.',
  '✗ credentials  «X» does not include this in the access level of the application: «453 "You currently have access to a subset of X API V2 endpoints"»¦Look at the application\'s state, package and permissions at console.x.com.',
  '✗ credentials  «VK» knows the application number, but the protected key is wrong, or the application belongs to VK ID: «invalid_client "client_secret is incorrect"»¦Copy the protected key again (not the service key). An application that was made for VK ID logs in with version: \'2.1\' and no secret.',
  '✗ credentials  «VK» does not know the application number: «invalid_client "client_id is incorrect"»',
  '✗ credentials  «VK» does not accept this pair of application number and protected key: «invalid_client»',
  '✗ credentials  «VK» does not accept the application: «invalid_client»',
  '? credentials  the network is busy or has a fault: «HTTP 503»¦Try again later.',
  '? credentials  cannot tell before the clock is right',
  '? credentials  cannot tell what this means here: «something_new "Something"»¦If logins fail:¦Copy the client ID again from «console.x.com».',
  '? credentials  not checked: no usable response',
  '? credentials  not checked: see «api.x.com»',
  '? credentials  cannot tell: an authorization code that nobody issued was accepted, as no real network does',
  "? credentials  not checked: a method of the strategy's class threw an error before the request",
  '? credentials  cannot tell: wrong credentials, tried to compare, got no usable response¦Try again later.',
  '? credentials  cannot tell: wrong credentials get the same response, «invalid_grant»¦If logins fail:¦Copy the client ID again from «console.x.com».',
  '? credentials  this check does not know what the responses of the network mean',
  '✗ credentials  expected a JSON object, but HTTP «404» returned «a page (HTML or XML, 532 characters)».¦Check the address in the options, and for a proxy or a captive page in between. Compare the addresses in the options with those in the README of the network, slash for slash.',
  'clientID has quotation marks around it: remove them.',
  'The secret has quotation marks around it: remove them.',
  "clientID begins with sbaw, as client keys of TikTok's sandboxes do: it needs the secret of that sandbox.",
  'clientSecret has the form of a Client ID: the two are probably swapped.',
  "clientID does not have the form of the Client IDs in X's documentation. An API Key belongs to OAuth 1.0a, version: '1.0'.",
  'clientID has the form of an OAuth 2.0 Client ID. OAuth 1.0a needs the API Key and its secret.',
  'clientID is longer than clientSecret, but an API Key is shorter than its secret: the two are probably swapped.',
  'clientID is no number, but every application number of VK is one.',
  'clientSecret is a number and clientID is none: the two are swapped.',
  'serviceToken is a number and clientID is none: the two are swapped.',
  '✗ «MICROBLOG_CLIENT_ID»  is not set¦Copy the «client ID» from «console.x.com»,¦and set this variable in the environment or in the file of --env-file.',
  'passport-social-networks: nothing to check. Set credentials, or name a file with --env-file: «SHORT_VIDEO_CLIENT_ID, MICROBLOG_CLIENT_ID»',
  'passport-social-networks: there is no strategy of that name. There are: «short-video, microblog»',
  'passport-social-networks: «BASE_URL» must be an absolute URL such as https://your.domain',
  'passport-social-networks: the file of --env-file cannot be read («ENOENT»)',
  'Error: check: the first argument must be a strategy of passport-social-networks.',
  'Logins fail until what is marked ✗ is right.',
  'What is marked ? only a login can tell.',
];

/** Codes with the words that the networks are known to send. */
const QUOTED: readonly (readonly [provider: string, code: string, words: string])[] = [
  ['short-video', 'invalid_client', 'Client key or secret is incorrect.'],
  ['short-video', 'invalid_grant', 'Authorization code is expired.'],
  ['short-video', 'invalid_request', 'Redirect_uri is not matched with the uri when requesting code.'],
  ['short-video', 'invalid_request', 'Code verifier or code challenge is invalid.'],
  [
    'short-video',
    'scope_not_authorized',
    'The user did not authorize the scope required for completing this request.',
  ],
  ['microblog', 'invalid_request', 'Value passed for the authorization code was invalid.'],
  [
    'microblog',
    'invalid_request',
    'Value passed for the redirect uri did not match the uri of the authorization code.',
  ],
  ['microblog', 'unauthorized_client', 'Missing valid authorization header'],
  ['microblog', 'invalid_client', 'Value passed for the client id was invalid.'],
  ['microblog', '32', 'Could not authenticate you.'],
  ['microblog', '89', 'Invalid or expired token.'],
  ['microblog', '135', 'Timestamp out of bounds.'],
  [
    'microblog',
    '415',
    'Callback URL not approved for this client application. Approved callback URLs can be adjusted in your application settings',
  ],
  ['social-network', 'invalid_client', 'client_secret is incorrect'],
  ['social-network', 'invalid_grant', 'Code is invalid or expired.'],
  ['social-network', '5', 'User authorization failed: user revoke access for this token.'],
];

/** Messages of the networks' codes, each with the code's hint. */
function refusals(): Message[] {
  const networks: readonly (readonly [network: string, provider: string, Hints])[] = [
    ['the short-video network', 'short-video', shortVideo],
    ['the microblog network', 'microblog', microblog],
    ['the social network', 'social-network', socialNetwork],
  ];
  return networks.flatMap(([network, provider, { byCode, byStep = {} }]) =>
    Object.entries({ ...byStep, profile: byCode }).flatMap(([step, codes]) =>
      Object.entries(codes).flatMap(([code, hint]) => {
        const quotes = QUOTED.filter(
          (quoted) => quoted[0] === provider && quoted[1] === code && codes === byCode,
        );
        const reasons = [`${code}.`, ...quotes.map(([, , words]) => `${code} "${words}"`)];
        return reasons.map((reason) => ({
          whole: `${provider}, ${step}: the network refused: ${reason} ${hint}`,
          fixed: hint,
          page: `lib/${provider}/README.md`,
          under: `Codes of ${network}`,
        }));
      }),
    ),
  );
}

/** Every reason for which the sandbox rejects or notes a request. */
function reasons(): Message[] {
  const texts = literalsIn('sandbox/lib')
    .filter(({ file, parts }) => REASONS.test(file) && !parts.join('').includes('<'))
    .map(({ parts }) => parts.join('…'))
    .filter((text) => !NO_REASONS.some((pattern) => pattern.test(text)))
    .filter(
      (text) => text in VALUES || text.split(/\s+/).filter((word) => /[a-z]{2}/i.test(word)).length >= 3,
    );
  return [...new Set(texts)].flatMap((text) => {
    if (!text.includes('…')) return [messageOf(`«refused:» ${text}`)];
    const values = VALUES[text];
    if (!values) throw new Error(`${text} needs values in the list above`);
    return values.map((value) =>
      messageOf(
        value.includes(' which ') ? `«refused:» ${value}` : `«refused: »${text.replace('…', `«${value}»`)}`,
      ),
    );
  });
}

/** @param prefix - What is the same in front of many messages, and so does not count as fixed. */
function messageOf(
  template: string,
  prefix = /^\(node:«4242»\) Warning: |^(\w*Error|passport-[\w-]+): /,
): Message {
  const [first = ''] = template.replace(prefix, '').split('¦');
  const runs = first.split(/«[^»]*»/).map((run) => run.replace(/^[\s:;,.)]+|[\s:,.(]+$/g, ''));
  const fixed = runs.reduce((longest, run) => (run.length > longest.length ? run : longest), '');
  return { whole: template.replace(/[«»]/g, '').replaceAll('¦', ' '), fixed };
}

export const MESSAGES: Readonly<Record<string, readonly Message[]>> = {
  'the library': LIBRARY.map((template) => messageOf(template)),
  "the networks' codes": refusals(),
  "the sandbox's start": SANDBOX.map((template) => messageOf(template)),
  "the sandbox's refusals": reasons(),
  'the check': CHECK.map((template) =>
    messageOf(template, /^([✗?] +\S+ +|passport-social-networks: |Error: )/),
  ),
};

/** Literals of the library that the list above does not have. */
export function unlisted(literals: readonly Literal[]): Literal[] {
  const all = Object.values(MESSAGES).flat();
  return literals.filter(({ parts }) => {
    const words = parts.map((part) => part.trim().replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
    const pattern = new RegExp(words.join('.*?').replace(/^\.\*\?|\\\.$/g, ''));
    return !all.some(({ whole }) => pattern.test(whole));
  });
}

const OPTIONS = /option|\/strategy\.ts: .*(must be a verify function|a subclass of|option version)/;

/** Literals that need no entry, by folder: mistakes in options and arguments, which explain themselves, and texts that are no messages. */
export const NEEDS_NO_ENTRY: Readonly<Record<string, readonly RegExp[]>> = {
  'lib/core': [
    OPTIONS,
    // Those of cookieLogins, too, and the line that several of them end with.
    /(name|secrets|limit|lifetime|claim) must be |cookie-logins\.ts: (this store|is the sandbox's|Make a secret| It is undefined|store: )/,
    /(trust proxy fn|pending login)$/,
  ],
  'lib/short-video': [OPTIONS],
  'lib/microblog': [OPTIONS],
  'lib/social-network': [OPTIONS],
  'lib/check': [
    // Where the meaning of a response is known from, and the beginnings of responses.
    /: (observed|documented|https):?|: (Value passed|Code |Redirect_uri|client_)/,
    // What passed, and usual causes, which stand below a message.
    /accepts (such|localhost|the)|wrong ones get|reached in|certificate signed|Nothing speaks|application was |key was|is mistyped|it is that of/,
    /the (protected|service) key|a (Web|Desktop) redirect|serviceToken is not|and service key|Compare the addresses|VK, classic protocol/,
    // Mistakes in arguments, and parts of messages.
    /command-line\.ts: |option callbackURL|no response in time|an unknown authority|gives no connection|: (clientID|clientSecret) ….: |sbaw/,
  ],
  'sandbox/lib': [
    // Other files hold the reasons of refusals, mistakes in settings, and pages.
    /^(?!sandbox\/lib\/(core\/clients|command\/output|networks|settings\/people|sandbox|server|console\/trial)\.ts)/,
    /Sandbox of three networks|Certificate:|passport\.use|cookieLogins\(|case sensitive|: Did you mean/,
    /trial\.ts: (<|Logged in|The login stopped)|people\.ts: (must be|…: (people|two people))/,
  ],
};
