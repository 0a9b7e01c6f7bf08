import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '..');
const SUPPORT = join(__dirname, 'support');

/** Both tests meet their expectations and leave an uncaught error behind. */
const TESTS = `
  const moment = () => new Promise((resolve) => setImmediate(resolve));
  it('rejects', () => {
    void Promise.reject(new Error('left alone'));
    return moment();
  });
  it('throws', () => {
    setImmediate(() => { throw new Error('thrown late'); });
    return moment().then(moment);
  });
`;

describe('errors that no one catches', () => {
  const folder = mkdtempSync(join(tmpdir(), 'nestjs-agent-tests-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  // Files share a scope, where Jest kept the first one's listeners: errors in the others were lost.
  it('fail the test that left them, in each file of a worker', () => {
    for (const name of ['first', 'second'])
      writeFileSync(join(folder, `${name}.check.js`), `describe('${name}', () => {${TESTS}});`);
    const config = {
      rootDir: folder,
      testRegex: 'check\\.js$',
      testEnvironment: join(SUPPORT, 'shared.environment.cjs'),
      runtime: join(SUPPORT, 'shared-modules.runtime.cjs'),
    };
    const jest = join(ROOT, 'node_modules/jest/bin/jest.js');
    const options = ['--runInBand', '--no-cache', '--config', JSON.stringify(config)];
    const env = { ...process.env, FORCE_COLOR: '0' };
    const { stderr } = spawnSync(process.execPath, [jest, ...options], { encoding: 'utf8', env });
    const failed = [...stderr.matchAll(/● (.+)\n\n {4}(.+)/g)].map(([, ...parts]) => parts);
    expect(failed.toSorted()).toEqual([
      ['first › rejects', 'left alone'],
      ['first › throws', 'thrown late'],
      ['second › rejects', 'left alone'],
      ['second › throws', 'thrown late'],
    ]);
  });
});
