import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { expectPage } from '../../support/page.js';
import { type DataFolders, LoginApp } from './app.js';
import type { Servers } from './servers.js';
import { queryDatabase } from './storage.js';
import { Visitor } from './visitor.js';

/** Several processes with the same servers. */
export function describeSharing(folders: DataFolders, servers: () => Servers, browser: () => Browser): void {
  it('starts twice at once on an empty database, and both processes recognize the signed-in user', async () => {
    const environment = {
      PORT: '0',
      DATABASE_URL: await servers().createDatabase('shared'),
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      SESSION_SECRET: randomBytes(32).toString('base64'),
    };
    const [one, other] = await Promise.all([
      LoginApp.start({ ...environment, DATA_FOLDER: await folders.empty() }),
      LoginApp.start({ ...environment, DATA_FOLDER: await folders.empty() }),
    ]);
    const alice = await Visitor.arrive(browser(), one.url);
    await alice.signIn('microblog');
    // Cookies are shared between the ports of a host.
    await alice.page.goto(`${other.url}/accounts`);
    expectPage(await alice.text).toHave('Alice Example');
    await alice.leave();
    await Promise.all([one.stop(), other.stop()]);
  });

  it('asks for a fresh login before linking, if the last login is more than ten minutes ago', async () => {
    const DATABASE_URL = await servers().createDatabase('fresh');
    const app = await LoginApp.start({ PORT: '0', DATA_FOLDER: await folders.empty(), DATABASE_URL });
    const alice = await Visitor.arrive(browser(), app.url);
    await alice.signIn('short-video');
    await queryDatabase(
      DATABASE_URL,
      `update sessions set sess = jsonb_set(sess::jsonb, '{confirmedAt}', to_jsonb((sess->>'confirmedAt')::bigint - 600000))`,
    );
    // Somebody else at the computer, with an account of their own.
    await alice.link('microblog', { person: 'max' });
    expect(await alice.heading).to.equal('That is another account');
    expect(await alice.linked()).to.deep.equal(['short-video']);
    await alice.link('microblog', { person: 'alice' });
    await alice.page.getByText('You have signed in again.').waitFor();
    expect(await alice.linked()).to.deep.equal(['short-video']);
    await alice.link('microblog', { person: 'alice' });
    expect(await alice.linked()).to.deep.equal(['short-video', 'microblog']);
    await alice.leave();
    await app.stop();
  });

  it('redirects only when the session is saved, however slow its store is', async () => {
    const DATABASE_URL = await servers().createDatabase('slow');
    const app = await LoginApp.start({ PORT: '0', DATA_FOLDER: await folders.empty(), DATABASE_URL });
    const alice = await Visitor.arrive(browser(), app.url);
    await alice.signIn('short-video');
    await queryDatabase(
      DATABASE_URL,
      `create function wait_for_notice() returns trigger language plpgsql as $$
         begin
           if new.sess::jsonb ? 'notice' then perform pg_sleep(1); end if;
           return new;
         end $$;
       create trigger slow before insert or update on sessions for each row execute function wait_for_notice()`,
    );
    await alice.link('microblog');
    await alice.page.getByText('X account Alice Example linked.').waitFor();
    await alice.press('microblog', 'Refresh tokens');
    await alice.page.getByText('X account Alice Example has new tokens.').waitFor();
    await alice.leave();
    await app.stop();
  });

  it('shows an error page while Redis is down, and signs users in when it is back', async () => {
    const app = await LoginApp.start({
      PORT: '0',
      DATA_FOLDER: await folders.empty(),
      DATABASE_URL: await servers().createDatabase('patient'),
      REDIS_URL: servers().redisURL,
    });
    const alice = await Visitor.arrive(browser(), app.url);
    await alice.signIn('microblog');
    await servers().stopRedis();
    expect(await alice.goTo('/profile')).to.equal(500);
    expect(await alice.heading).to.equal('Something went wrong');
    await servers().startRedis();
    while ((await alice.goTo('/signin')) === 500) await new Promise((resolve) => setTimeout(resolve, 100));
    await alice.signIn('microblog');
    expect(alice.path).to.equal('/profile');
    await alice.leave();
    await app.stop();
  });
}
