import { existsSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BUILT } from './packed-package';
import { run } from './program';

/** Packs the built package, once for all test files. */
export default async function setup(): Promise<void> {
  if (!existsSync(BUILT)) throw new Error('Build the package first: npm run build:package');
  const folder = await mkdtemp(join(tmpdir(), 'nestjs-agent-package-'));
  process.env.PACKED_FOLDER = folder;
  const output = await run('npm', ['pack', '--json', '--pack-destination', folder], BUILT);
  const [packed] = JSON.parse(output) as [object];
  await writeFile(join(folder, 'packed.json'), JSON.stringify(packed));
}
