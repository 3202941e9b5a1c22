import { Comment, ReflectionKind } from 'typedoc';

/** Members of the networks' records whose name says everything need no docstring. @param {import('typedoc').Application} app */
function recordMembers({ converter }) {
  converter.on('resolveEnd', ({ project }) => {
    for (const member of project.getReflectionsByKind(ReflectionKind.Property)) {
      const files = project.getSymbolIdFromReflection(member)?.fileName ?? '';
      if (!member.hasComment() && /\/(record|fields)\.ts$/.test(files))
        member.comment = new Comment([{ kind: 'text', text: 'As the network sends it.' }]);
    }
  });
}

/** Writes the API reference of all packages. Every typedoc warning fails the build, so all public items must be documented. */
export default {
  name: 'API reference',
  readme: 'none',
  tsconfig: '../../tsconfig.json',
  // `npm run types` checks them, by another version of TypeScript.
  skipErrorChecking: true,
  entryPoints: ['lib', 'lib/*', 'sandbox/lib', 'check/lib'].map((folder) => `../../${folder}/index.ts`),
  plugin: ['typedoc-plugin-markdown', recordMembers],
  hidePageHeader: true,
  entryFileName: 'index.md',
  navigationJson: 'dist/navigation.json',
  out: 'dist/pages/api',
  // No links to sources, because they break in copies of the reference.
  disableSources: true,
  // Members inherited from other packages are documented there.
  excludeExternals: true,
  excludePrivate: true,
  excludeProtected: true,
  validation: true,
  treatWarningsAsErrors: true,
  treatValidationWarningsAsErrors: true,
  // Properties of short inline object types. The enclosing type's docstring describes them.
  intentionallyNotExported: ['HINTS', 'ImageType', 'Optional', 'RecordOf', 'Said', 'Spellings', 'STATUS'],
  intentionallyNotDocumented: Object.entries({
    AddressedRequest: ['hostname', 'originalUrl', 'protocol', 'socket'],
    'ClientID.__type': ['clientID', 'clientId'],
    ExchangedCode: ['tokens', 'profile'],
    'MicroblogOAuth1Options.__type': ['clientSecret', 'consumerKey', 'consumerSecret'],
    'MicroblogOAuth2Options.__type': ["it belongs to OAuth 1.0a: add version: '1.0'"],
    'MicroblogOptions.__type': ['version'],
    'ShortVideoOptions.__type': ['clientID', 'clientKey'],
  }).flatMap(([type, members]) => members.map((member) => `passport-social-networks.${type}.${member}`)),
};
