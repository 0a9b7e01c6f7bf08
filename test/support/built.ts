import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What a build makes, and from what. */
export interface Built {
  readonly folder: string;
  /** A file of each build, the last one where there are several. */
  readonly output: string;
  /** Folders and files; what is missing was never installed. */
  readonly sources: readonly string[];
}

/** Whether a source is newer than what is built, or nothing is. */
export function isStale({ folder, output, sources }: Built): boolean {
  const built = join(folder, output);
  if (!existsSync(built)) return true;
  const { mtimeMs } = statSync(built);
  return sources
    .flatMap((name) => filesIn(join(folder, name)))
    .some((path) => statSync(path).mtimeMs > mtimeMs);
}

/** The files of a folder, or the file itself; none if there is nothing. */
export function filesIn(path: string): readonly string[] {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
