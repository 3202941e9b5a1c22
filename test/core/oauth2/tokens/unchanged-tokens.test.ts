import { expect } from 'chai';
import { describeEach } from './accounts.js';

const RESPONSE = { body: { access_token: 'NEW', token_type: 'bearer', response: 1 } };

describeEach('a token', ({ subject, played }) => {
  for (const token of ['rft.abc!4608', 'a.b-c_d~e', "it's*(odd)", '100%+/=&?#', '!!..']) {
    it(`${token} reaches the network unchanged`, async () => {
      const { strategy, network: server, refresh } = await played(() => RESPONSE);
      await refresh(token);
      await strategy.revoke(token);
      const [refreshed, revoked] = server.requests;
      expect(refreshed?.form.getAll('refresh_token')).to.deep.equal([token]);
      expect(revoked?.form.getAll(subject.revokes)).to.deep.equal([token]);
      for (const { url, method, headers } of server.requests) {
        expect(url).to.match(/^\/(token|revoke)$/);
        expect(method).to.equal('POST');
        expect(headers['content-type']).to.equal('application/x-www-form-urlencoded');
      }
    });

    it(`${token} is returned from the network unchanged`, async () => {
      const response = { access_token: token, refresh_token: `${token}2`, token_type: 'bearer' };
      const { refresh } = await played(() => ({ body: response }));
      const { accessToken, refreshToken } = await refresh('OLD');
      expect({ accessToken, refreshToken }).to.deep.equal({ accessToken: token, refreshToken: `${token}2` });
    });
  }
});
