import { expect } from 'chai';
import { microblogOAuth1, microblogOAuth2 } from '../../lib/check/microblog.js';
import { GUIDES } from '../../lib/check/report.js';
import { shortVideo } from '../../lib/check/short-video.js';
import { classic, vkId } from '../../lib/check/social-network.js';
import { textOfPage } from './pages.js';

describe('check: what is known about the networks', () => {
  for (const { title, responses } of [shortVideo, microblogOAuth2, microblogOAuth1, classic, vkId]) {
    it(`${title}: each response names where its meaning is known from`, () => {
      for (const { evidence } of responses) expect(evidence).to.match(/^(documented|observed): \S/);
    });

    it(`${title}: each response that fails logins says why`, () => {
      const failing = responses.filter(({ means }) => means !== 'code refused' && means !== 'try later');
      expect(failing).to.have.length.above(0);
      for (const { says } of failing) expect(says).to.match(/^[a-z]/);
    });

    it(`${title}: no response is hidden behind another one`, () => {
      const hidden = responses.filter(({ code, message = '' }, index) =>
        responses
          .slice(0, index)
          .some((earlier) => earlier.code === code && message.startsWith(earlier.message ?? '')),
      );
      expect(hidden).to.deep.equal([]);
    });
  }

  it('each guide is a heading of a page', () => {
    for (const guide of Object.values(GUIDES)) {
      const [page = '', anchor] = guide.split('#');
      const headings = [...textOfPage(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
        heading
          .toLowerCase()
          .replace(/[^\w\s-]/g, '')
          .replace(/\s/g, '-'),
      );
      expect(headings, guide).to.include(anchor);
    }
  });
});
