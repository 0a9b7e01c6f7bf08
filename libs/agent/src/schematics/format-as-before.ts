import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const LIMIT_MS = 30_000;

/**
 * A changed source as the application's own Prettier has it, where the file was formatted by it
 * before; as it is where there is no Prettier, or where it would rewrite more than the change.
 *
 * @param change the source before and after
 * @param root the application's folder
 * @param path the file's, within it
 */
export function formatAsBefore(
  { before, after }: { readonly before: string; readonly after: string },
  root: string,
  path: string,
): string {
  try {
    return formatted(before, root, path) === before ? formatted(after, root, path) : after;
  } catch {
    // Not installed, or not able to read its own settings: not this command's to tell.
    return after;
  }
}

/** By its program, which finds its settings as it does in an editor. @throws where there is none */
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
