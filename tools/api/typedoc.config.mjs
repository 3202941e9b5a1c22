/**
 * The reference is built from the sources of the package's entry points, and everything that a user meets must be documented:
 * whatever typedoc warns of fails the build.
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
    '../../lib/sandbox/index.ts',
  ],
  out: '../../docs/api',
  includeVersion: true,
  hideGenerator: true,
  // No links into a repository: they would be dead in a copy that is read elsewhere.
  disableSources: true,
  // What the base classes of other packages bring is documented there.
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
  // Members of short object types within a union or a member, which the sentence at the whole describes.
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
