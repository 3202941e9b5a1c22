import { join } from 'node:path';
import { rehearsed } from '../../support/rehearsal.js';
import { freePort } from '../../support/servers.js';
import { blocksIn } from '../pages.js';
import { programsOf, removePrograms, settingsAt, startProgram, writeProgram } from '../programs.js';

/** Those whose login starts with a link. That of an app on a phone needs a challenge. */
const programs = ['ts', 'js']
  .flatMap(blocksIn)
  .filter(({ code }) => /'\/api\/auth\/signin\/|signin\/\$/.test(code) && !code.includes('challenge'))
  .filter(({ code }) => code.includes('.listen('));

describe('A rehearsal of the programs that readers copy', function () {
  this.timeout(120_000);
  const { sandbox } = programsOf('docs/testing.md');
  after(() => removePrograms('rehearsed'));

  for (const { page, file, code } of programs)
    it(`finds nothing wrong with that of ${page}, ${file}`, async () => {
      const PORT = String(await freePort());
      const settings = settingsAt(sandbox(), { PORT, BASE_URL: `http://127.0.0.1:${PORT}` });
      const program = await startProgram(writeProgram(join('rehearsed', file), code), settings);
      const [, network = 'short-video'] = /'\/api\/auth\/signin\/([\w-]+)'/.exec(code) ?? [];
      const url = `${program.url}/api/auth/signin/${network}`;
      // That of deploying only shows who logged in.
      const options = { session: !file.includes('deployed') };
      await rehearsed(url, options).finally(() => program.close());
    });
});
