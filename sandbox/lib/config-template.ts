/** What `init` writes: a file for `--config` that changes nothing but the examples' own values, with a comment on every setting. */
export const CONFIG_TEMPLATE = `# Settings of the sandbox: npx passport-social-networks-sandbox --config sandbox.yaml
# Every setting may be left out. A mistake is reported with its line.

# Port to listen on; --port overrides it.
port: 4000

# true rejects what the networks are only supposed to reject. false accepts it, and notes it in the console.
strict: false

# true serves https, with a certificate of the sandbox's own; --certificate FILE writes it to a file.
https: false

# Form of VK ID's authorization response: flat or payload. The real network uses both.
vkIdCallback: flat

# Your application, as it is registered with each network. Without an entry, the sandbox has its own credentials and accepts any
# redirect address.
applications:
  - network: short-video # TikTok
    name: My application
    clientID: my-client-key
    clientSecret: my-client-secret
    # Compared exactly, as the network does.
    redirectAddresses:
      - http://localhost:3000/api/auth/callback/short-video
  - network: microblog # X; version '1.0' is OAuth 1.0a, client public has no secret
    version: '2.0'
    name: My application
    redirectAddresses:
      - http://localhost:3000/api/auth/callback/microblog
  - network: social-network # VK; version '2.1' is VK ID, whose clientSecret is the protected key
    version: '2.1'
    clientID: '51234567'

# Who can log in, instead of the sandbox's own people. The identifiers are those at each network.
people:
  - id: zoe
    displayName: Zoe Example
    givenName: Zoe
    familyName: Example
    handle: zoe_example
    openId: 3f2c8e0a-5d1b-4a7e-9c6f-8b0d2e4a6c1f
    microblogId: '1234567890'
    socialNetworkId: 210700286
    email: zoe@example.com # optional, like everything below
    picture: large
    # deactivated: banned

# What goes wrong, from the start. docs/testing.md has every kind.
faults: []
#  - network: microblog
#    endpoint: token
#    fault: { kind: answer, status: 503 }
#    times: 2
`;
