import { createRequire } from 'node:module';
import { AgentError } from '../tool';

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

/** The optional packages, by name: nothing of them is loaded before it is asked for. */
interface OptionalPackages {
  readonly kysely: typeof import('kysely');
  readonly pg: typeof import('pg');
  readonly '@electric-sql/pglite': typeof import('@electric-sql/pglite');
}

// Not `import()`: that would load a second, ESM copy beside the one a CommonJS application hands in.
const load = createRequire(__filename);

/**
 * Loads an optional package.
 *
 * @param needed all that the feature needs, for the message
 * @throws MissingPackageError where it is not installed
 */
export function loadOptional<Name extends keyof OptionalPackages>(
  name: Name,
  wanted: string,
  needed: readonly string[],
): OptionalPackages[Name] {
  try {
    return load(name) as OptionalPackages[Name];
  } catch (error) {
    if (isMissing(error, name)) throw new MissingPackageError(needed, wanted);
    throw error;
  }
}

/** A package that is there but broken inside is another matter, so the name has to be the one. */
function isMissing(error: unknown, name: string): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return error.code === 'MODULE_NOT_FOUND' && error.message.includes(`'${name}'`);
}
