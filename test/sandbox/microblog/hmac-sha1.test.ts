import { expect } from 'chai';
import { hmacSha1Signature } from '../../../sandbox/lib/microblog/oauth1.js';

describe("The sandbox's OAuth 1.0a signature", () => {
  it("matches the network's published example", () => {
    const parameters = {
      include_entities: 'true',
      status: 'Hello Ladies + Gentlemen, a signed OAuth request!',
      oauth_consumer_key: 'xvz1evFS4wEEPTGEFPHBog',
      oauth_nonce: 'kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg',
      oauth_signature_method: 'HMAC-SHA1',
      oauth_timestamp: '1318622958',
      oauth_token: '370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb',
      oauth_version: '1.0',
    };
    expect(
      hmacSha1Signature(
        'POST',
        'https://api.x.com/1.1/statuses/update.json',
        parameters,
        'kAcSOqF21Fu85e7zjz7ZN2U4ZRhfV3WpwPAoE3Z7kBw',
        'LswwdoUaIvS8ltyTt5jkRh4J50vUPVVHtR2YPi5kE',
      ),
    ).to.equal('Ls93hJiZbQ3akF3HF3x1Bz8/zU4=');
  });
});
