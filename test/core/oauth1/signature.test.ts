import { expect } from 'chai';
import fc from 'fast-check';
import {
  authorizationHeader,
  type SignedRequest,
  signatureBase,
} from '../../../lib/core/oauth1/signature.js';

interface OAuthSign {
  generateBase(method: string, uri: string, parameters: object): string;
  hmacsign(method: string, uri: string, parameters: object, secret: string, tokenSecret: string): string;
}

const oauthSign = require('oauth-sign') as OAuthSign;

/** The fields of an `Authorization` header, decoded. */
function fieldsOf(header: string): Record<string, string> {
  const pairs = header
    .replace(/^OAuth /, '')
    .split(', ')
    .map((field) => field.split(/="(.*)"/s).map(decodeURIComponent));
  return Object.fromEntries(pairs.map(([name, value]) => [name, value]));
}

describe('the OAuth 1.0a signature', () => {
  it('O6: the signature base string of RFC 5849 section 3.4.1.1 is reproduced exactly', () => {
    // Its query and body both have a parameter a3. Here both are in the query: the base string does not show where one came from.
    const request: SignedRequest = {
      method: 'POST',
      url: 'http://EXAMPLE.COM:80/request?b5=%3D%253D&a3=a&c%40=&a2=r%20b&a3=2+q',
      form: { c2: '' },
    };
    const parameters = {
      oauth_consumer_key: '9djdj82h48djs9d2',
      oauth_token: 'kkk9d7dh3k39sjv7',
      oauth_signature_method: 'HMAC-SHA1',
      oauth_timestamp: '137131201',
      oauth_nonce: '7d8f3e4a',
    };
    expect(signatureBase(request, parameters)).to.equal(
      'POST&http%3A%2F%2Fexample.com%2Frequest&a2%3Dr%2520b%26a3%3D2%2520q%26a3%3Da%26b5%3D%253D%25253D%26' +
        'c%2540%3D%26c2%3D%26oauth_consumer_key%3D9djdj82h48djs9d2%26oauth_nonce%3D7d8f3e4a%26' +
        'oauth_signature_method%3DHMAC-SHA1%26oauth_timestamp%3D137131201%26oauth_token%3Dkkk9d7dh3k39sjv7',
    );
  });

  it('O6: the example that the microblog network publishes is reproduced', () => {
    const header = authorizationHeader(
      {
        method: 'POST',
        url: 'https://api.x.com/1.1/statuses/update.json?include_entities=true',
        form: { status: 'Hello Ladies + Gentlemen, a signed OAuth request!' },
      },
      {
        consumerKey: 'xvz1evFS4wEEPTGEFPHBog',
        consumerSecret: 'kAcSOqF21Fu85e7zjz7ZN2U4ZRhfV3WpwPAoE3Z7kBw',
        token: '370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb',
        tokenSecret: 'LswwdoUaIvS8ltyTt5jkRh4J50vUPVVHtR2YPi5kE',
      },
      'kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg',
      1_318_622_958_000,
    );
    expect(header).to.equal(
      'OAuth oauth_consumer_key="xvz1evFS4wEEPTGEFPHBog", ' +
        'oauth_nonce="kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg", oauth_signature_method="HMAC-SHA1", ' +
        'oauth_timestamp="1318622958", oauth_token="370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb", ' +
        'oauth_version="1.0", oauth_signature="Ls93hJiZbQ3akF3HF3x1Bz8%2FzU4%3D"',
    );
  });

  it('the base string has the port unless it is the default one', () => {
    for (const [url, expected] of [
      ['http://127.0.0.1:8080/x', 'http%3A%2F%2F127.0.0.1%3A8080%2Fx'],
      ['https://api.example:443/x', 'https%3A%2F%2Fapi.example%2Fx'],
    ] as const) {
      expect(signatureBase({ method: 'GET', url }, {})).to.equal(`GET&${expected}&`);
    }
  });

  it('O6: equals that of oauth-sign for any parameters', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
    const form = fc.dictionary(text, text, { maxKeys: 6 });
    fc.assert(
      fc.property(form, text, text, (parameters, consumerSecret, tokenSecret) => {
        const safe = Object.fromEntries(Object.entries(parameters).filter(([name]) => name !== '__proto__'));
        const request = { method: 'POST', url: 'https://api.example/path', form: safe };
        const header = authorizationHeader(
          request,
          { consumerKey: 'key', consumerSecret, token: 'token', tokenSecret },
          'nonce',
          1_000,
        );
        const { oauth_signature, ...protocol } = fieldsOf(header);
        const all = { ...safe, ...protocol };
        expect(oauth_signature).to.equal(
          oauthSign.hmacsign('POST', request.url, all, consumerSecret, tokenSecret),
        );
        expect(signatureBase(request, protocol)).to.equal(oauthSign.generateBase('POST', request.url, all));
      }),
    );
  });
});
