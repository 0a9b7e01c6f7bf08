import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const RULE = pathToFileURL(join(__dirname, '../../scripts/lint/room-doors.mjs')).href;

describe('the lint rule about rooms', () => {
  let root: string;
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'nestjs-agent-rooms-'));
    for (const file of [
      'shop/index.ts',
      'shop/till.ts',
      'shop/cellar/index.ts',
      'shop/cellar/wine.ts',
      'shop/shelf/tea.ts',
      'street.ts',
    ]) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), '');
    }
  });
  afterAll(() => rmSync(root, { recursive: true }));

  it.each([
    ['street.ts', './shop/till', 'shop'],
    ['street.ts', './shop/shelf/tea', 'shop'],
    ['street.ts', './shop/cellar/wine', 'cellar'],
    ['shop/till.ts', './cellar/wine', 'cellar'],
    ['street.ts', './shop', undefined],
    ['street.ts', './shop/cellar', undefined],
    ['shop/till.ts', './shelf/tea', undefined],
    ['shop/cellar/wine.ts', '../till', undefined],
    ['shop/till.ts', '../street', undefined],
    ['shop/till.ts', '../missing', undefined],
  ])('%s imports %s: passes the door of %s', (importer, specifier, room) => {
    expect(passed(join(root, importer), specifier)).toBe(room ?? 'none');
  });
});

function passed(importer: string, specifier: string): string {
  const script = `import { roomPassed } from ${JSON.stringify(RULE)};
    process.stdout.write(roomPassed(...process.argv.slice(1)) ?? 'none');`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', script, importer, specifier],
    { encoding: 'utf8' },
  );
  return stdout || stderr;
}
