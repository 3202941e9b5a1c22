import { expect } from 'chai';
import { suggestion } from '../../lib/core/suggestion.js';

const OPTIONS = ['clientID', 'clientSecret', 'callbackURL', 'authorizationURL'];

describe('The suggestion for an unknown option', () => {
  for (const name of ['redirectURI', 'redirectUri', 'redirect_uri', 'redirectURL', 'redirect_url']) {
    it(`is callbackURL for ${name}, as other libraries call it`, () => {
      expect(suggestion(name, OPTIONS)).to.equal('Did you mean callbackURL?');
    });
  }

  it('names only what there is', () => {
    expect(suggestion('redirectURI', ['display_name', 'avatar_url'])).to.equal(
      'There are display_name, avatar_url',
    );
  });

  it('is the nearest name for a misspelt one', () => {
    expect(suggestion('client_secert', OPTIONS)).to.equal('Did you mean clientSecret?');
  });

  it('is the whole list for a word that is like none', () => {
    expect(suggestion('constructor', OPTIONS)).to.equal(
      'There are clientID, clientSecret, callbackURL, authorizationURL',
    );
  });
});
