import { join } from 'node:path';
import { built } from './paths.mjs';
import { run } from './run.mjs';

/** Packs the built package into a folder and returns the tarball's path and list of files. */
export async function pack(folder) {
  const [tarball] = JSON.parse(
    await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: built }),
  );
  return {
    path: join(folder, tarball.filename),
    packedBytes: tarball.size,
    unpackedBytes: tarball.unpackedSize,
    files: tarball.files.map(({ path, size }) => ({ path, bytes: size })),
  };
}
