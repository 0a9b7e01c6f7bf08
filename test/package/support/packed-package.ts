import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './program';

export const ROOT = join(__dirname, '../../..');

/** The package as it would be published; `npm run build:package` makes it. */
export const BUILT = join(ROOT, 'dist/nestjs-agent');

export interface PackedFile {
  readonly path: string;
  readonly size: number;
}

/** The tarball that npm would upload, in a folder of its own. */
export class PackedPackage {
  private constructor(
    private readonly folder: string,
    readonly tarball: string,
    readonly bytes: number,
    readonly files: readonly PackedFile[],
  ) {}

  static async pack(): Promise<PackedPackage> {
    if (!existsSync(BUILT)) throw new Error('Build the package first: npm run build:package');
    const folder = await mkdtemp(join(tmpdir(), 'nestjs-agent-package-'));
    const output = await run('npm', ['pack', '--json', '--pack-destination', folder], BUILT);
    const [packed] = JSON.parse(output) as [
      { filename: string; size: number; files: readonly PackedFile[] },
    ];
    return new PackedPackage(folder, join(folder, packed.filename), packed.size, packed.files);
  }

  /** Installs the tarball, its required peers and the other packages, nothing else, and answers where. */
  async installWith(...others: readonly string[]): Promise<string> {
    const manifest = { name: 'application', private: true };
    await writeFile(join(this.folder, 'package.json'), JSON.stringify(manifest));
    await run('npm', ['install', this.tarball, ...others], this.folder);
    return this.folder;
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}
