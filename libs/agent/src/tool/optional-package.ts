import { createRequire } from 'node:module';
import { AgentError } from './errors';

/**
 * An optional package is not installed; `code` is `missing_package`. The message names the command
 * that installs it.
 */
export class MissingPackageError extends AgentError {
  /** @internal */
  constructor(packages: readonly string[], wanted: string) {
    super(
      'missing_package',
      `${wanted} needs ${packages.join(' and ')}. Install with: npm install ${packages.join(' ')}`,
    );
  }
}

// Not `import()`: that would load a second, ESM copy beside the one a CommonJS application hands in.
const load = createRequire(__filename);

/**
 * Loads an optional package. Nothing of it is loaded before.
 *
 * @param wanted the feature, at the beginning of the message
 * @param needed all packages that the feature needs, for the message
 * @throws MissingPackageError if it is not installed
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
 * @throws MissingPackageError if the package is not installed
 */
export function installed<Package>(
  requirePackage: () => Package,
  name: string,
  wanted: string,
  needed: readonly string[] = [name],
): Package {
  try {
    return requirePackage();
  } catch (error) {
    if (isMissing(error, name)) throw new MissingPackageError(needed, wanted);
    throw error;
  }
}

/** Compares the name: an installed package may lack a dependency of its own. */
function isMissing(error: unknown, name: string): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return error.code === 'MODULE_NOT_FOUND' && error.message.includes(`'${name}'`);
}
