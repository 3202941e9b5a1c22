/**
 * Builds the API reference from the package's entry points. Every typedoc warning fails the build, so all public items must be
 * documented.
 */
export default {
  name: 'passport-social-networks',
  readme: 'none',
  tsconfig: 'tsconfig.json',
  entryPoints: [
    '../../lib/index.ts',
    '../../lib/short-video/index.ts',
    '../../lib/microblog/index.ts',
    '../../lib/social-network/index.ts',
    '../../sandbox/lib/index.ts',
  ],
  out: '../../docs/api',
  includeVersion: true,
  hideGenerator: true,
  // No links to sources, because they break in copies of the reference.
  disableSources: true,
  // Members inherited from other packages are documented there.
  excludeExternals: true,
  excludePrivate: true,
  excludeProtected: true,
  validation: {
    notDocumented: true,
    notExported: true,
    invalidLink: true,
    invalidPath: true,
    rewrittenLink: true,
    unusedMergeModuleWith: true,
  },
  treatWarningsAsErrors: true,
  treatValidationWarningsAsErrors: true,
  // Properties of short inline object types. The enclosing type's docstring describes them.
  intentionallyNotDocumented: [
    ...['clientID', 'clientId'].map((name) => `passport-social-networks.ClientID.__type.${name}`),
    ...['clientID', 'clientKey'].map((name) => `passport-social-networks.ShortVideoOptions.__type.${name}`),
    'passport-social-networks.MicroblogOptions.__type.version',
    ...['clientSecret', 'consumerKey', 'consumerSecret'].map(
      (name) => `passport-social-networks/microblog.MicroblogOAuth1Options.__type.${name}`,
    ),
    ...['bytes', 'kind', 'location', 'milliseconds', 'seconds'].map(
      (name) => `passport-social-networks/sandbox.SandboxFault.__type.${name}`,
    ),
    ...['birthday.__type.day', 'birthday.__type.month', 'birthday.__type.year'].map(
      (name) => `passport-social-networks/sandbox.SandboxPerson.${name}`,
    ),
    ...['pinnedPost.__type.id', 'pinnedPost.__type.text'].map(
      (name) => `passport-social-networks/sandbox.SandboxPerson.${name}`,
    ),
  ],
};
