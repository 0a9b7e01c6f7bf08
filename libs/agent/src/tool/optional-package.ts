import { createRequire } from 'node:module';
import { join } from 'node:path';
import { AgentError } from './errors';

// The manifest allows any version: npm refuses to install beside one that is out of a range, even if
// the application uses that package only for itself.
/** The oldest supported version of each optional package. */
export const OLDEST_VERSIONS: Readonly<Record<string, string>> = {
  '@anthropic-ai/sdk': '1.12.0',
  '@electric-sql/pglite': '0.4.0',
  '@modelcontextprotocol/client': '2.4.0',
  '@opentelemetry/api': '1.9.0',
  bullmq: '6.7.0',
  ioredis: '5.4.0',
  kysely: '0.28.0',
  pg: '8.11.0',
};

/**
 * An optional package is not installed, or its version is too old; `code` is `missing_package`. The
 * message names the command that installs it.
 */
export class MissingPackageError extends AgentError {
  /** @internal */
  constructor(packages: readonly string[], wanted: string, installedVersion?: string) {
    const [name = ''] = packages;
    const problem =
      installedVersion === undefined
        ? `${packages.join(' and ')}. Install with: npm install ${packages.join(' ')}`
        : `${name} ${OLDEST_VERSIONS[name]} or newer, and ${installedVersion} is installed. ` +
          `Install with: npm install ${name}@latest`;
    super('missing_package', `${wanted} needs ${problem}`);
  }
}

// Not `import()`: that would load a second, ESM copy beside the one a CommonJS application hands in.
const load = createRequire(__filename);

/**
 * Loads an optional package. Nothing of it is loaded before.
 *
 * @param wanted the feature, at the beginning of the message
 * @param needed all packages that the feature needs, for the message
 * @throws MissingPackageError if it is not installed, or too old
 */
export function loadOptional<Package>(
  name: string,
  wanted: string,
  needed: readonly string[] = [name],
): Package {
  return installed(() => load(name) as Package, name, wanted, needed);
}

/**
 * As `loadOptional`, with a `require` that bundlers see.
 *
 * @param name the module that `require` names
 * @throws MissingPackageError if the package is not installed, or too old
 */
export function installed<Package>(
  requirePackage: () => Package,
  name: string,
  wanted: string,
  needed: readonly string[] = [name],
): Package {
  requireVersion(name, wanted);
  try {
    return requirePackage();
  } catch (error) {
    if (isMissing(error, name)) throw new MissingPackageError(needed, wanted);
    throw error;
  }
}

/** @throws MissingPackageError if the version of a module's package is too old */
export function requireVersion(module: string, wanted: string): void {
  const name = /^(?:@[^/]+\/)?[^/]+/.exec(module)?.[0] ?? module;
  const { [name]: oldest = '0' } = OLDEST_VERSIONS;
  const version = versionOf(module, name);
  if (version && version.localeCompare(oldest, 'en', { numeric: true }) < 0) {
    throw new MissingPackageError([name], wanted, version);
  }
}

function versionOf(module: string, name: string): string | undefined {
  try {
    // Few packages export their manifest.
    const path = load.resolve(module);
    const folder = join('node_modules', name);
    const manifest = join(path.slice(0, path.lastIndexOf(folder)), folder, 'package.json');
    return (load(manifest) as { version: string }).version;
  } catch {
    // Not installed, or bundled.
    return undefined;
  }
}

/** Compares the name: an installed package may lack a dependency of its own. */
function isMissing(error: unknown, name: string): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return error.code === 'MODULE_NOT_FOUND' && error.message.includes(`'${name}'`);
}
