// Options in variables of the exported types, such as those read from a configuration. Compiled but not run.
import {
  type MicroblogOptions,
  MicroblogStrategy,
  type Profile,
  type ShortVideoOptions,
  ShortVideoStrategy,
  type SocialNetworkOptions,
  type SocialNetworkProfile,
  type SocialNetworkRecord,
  SocialNetworkStrategy,
  type VkIdProfile,
} from 'passport-social-networks';
import microblog, {
  type MicroblogOAuth1Options,
  MicroblogOAuth1Strategy,
  type MicroblogOAuth2Options,
  MicroblogOAuth2Strategy,
} from 'passport-social-networks/microblog';
import shortVideo from 'passport-social-networks/short-video';
import socialNetwork, {
  type ClassicOptions,
  type VkIdOptions,
} from 'passport-social-networks/social-network';

interface CustomRecord {
  readonly id: number;
  readonly nickname: string;
}

export function strategiesOf(client: { clientID: string; clientSecret: string }): { name: string }[] {
  const shortVideoOptions: ShortVideoOptions = client;
  const withRequest: ShortVideoOptions & { passReqToCallback: true } = { ...client, passReqToCallback: true };
  const anyMicroblog: MicroblogOptions = client;
  const microblog1: MicroblogOptions<'1.0'> = { ...client, version: '1.0' };
  const microblog2: MicroblogOptions<'2.0'> = client;
  const oauth1: MicroblogOAuth1Options = client;
  const oauth2: MicroblogOAuth2Options = client;
  const social: SocialNetworkOptions = client;
  const classic: ClassicOptions = client;
  const vkId: VkIdOptions = { ...client, version: '2.1' };
  const social21: SocialNetworkOptions<SocialNetworkProfile, '2.1'> = { ...client, version: '2.1' };
  const custom: SocialNetworkOptions<CustomRecord> = {
    ...client,
    profile: ({ id, nickname }) => ({ id: String(id), displayName: nickname }),
  };
  return [
    new ShortVideoStrategy(shortVideoOptions, (_token, _refreshToken, { id }, done) => done(null, { id })),
    shortVideo(shortVideoOptions, async (_token, _refreshToken, { id }) => ({ id })),
    shortVideo(withRequest, (req, _token, _refreshToken, { id }, done) => done(null, { id, path: req.path })),
    new MicroblogStrategy(anyMicroblog, (_token, _refreshToken, { id }, done) => done(null, { id })),
    new MicroblogStrategy(microblog1, async (_token, secret) => secret satisfies string),
    microblog(microblog2, async (_token, fresh) => fresh satisfies string | undefined),
    new MicroblogOAuth1Strategy(oauth1, (_token, _tokenSecret, { id }, done) => done(null, { id })),
    new MicroblogOAuth2Strategy(oauth2, (_token, _refreshToken, { id }, done) => done(null, { id })),
    new SocialNetworkStrategy(
      social,
      async (_t, _r, profile) => profile satisfies Profile<SocialNetworkRecord>,
    ),
    socialNetwork(classic, async (_t, _r, profile) => profile satisfies Profile<SocialNetworkRecord>),
    socialNetwork(vkId, async (_t, _r, profile) => profile satisfies Profile<VkIdProfile>),
    new SocialNetworkStrategy(social21, async (_t, _r, profile) => profile satisfies Profile<VkIdProfile>),
    socialNetwork(custom, async (_t, _r, profile) => profile satisfies Profile<CustomRecord>),
  ];
}
