import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const LIMIT_MS = 30_000;

/**
 * Formats a changed source with the application's own Prettier, if the file was formatted by it
 * before. Returns it unformatted if there is no Prettier, or if Prettier would rewrite more than
 * the change.
 *
 * @param change the source before and after
 * @param root the application's folder
 * @param path the file's path within `root`
 */
export function formatAsBefore(
  { before, after }: { readonly before: string; readonly after: string },
  root: string,
  path: string,
): string {
  try {
    return formatted(before, root, path) === before ? formatted(after, root, path) : after;
  } catch {
    // Not installed, or unable to read its own settings: not for this command to report.
    return after;
  }
}

/**
 * Runs Prettier's program, which finds its settings as it does in an editor. @throws if it is
 * missing
 */
function formatted(source: string, root: string, path: string): string {
  const manifest = createRequire(join(root, 'package.json')).resolve('prettier/package.json');
  const { bin } = createRequire(manifest)(manifest) as {
    readonly bin: string | { readonly prettier: string };
  };
  const program = join(dirname(manifest), typeof bin === 'string' ? bin : bin.prettier);
  return execFileSync(process.execPath, [program, '--stdin-filepath', join(root, path)], {
    cwd: root,
    input: source,
    encoding: 'utf8',
    timeout: LIMIT_MS,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
}
