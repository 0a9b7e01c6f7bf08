import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VERSION } from './version';

it('is the version of the manifest', () => {
  const manifest = readFileSync(join(__dirname, '../../package.json'), 'utf8');
  expect(JSON.parse(manifest)).toMatchObject({ version: VERSION });
});
