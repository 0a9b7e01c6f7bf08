import { createRequire } from 'node:module';
import { AgentError } from '../tool';

interface OptionalPackages {
  readonly bullmq: typeof import('bullmq');
  readonly ioredis: typeof import('ioredis');
  readonly pg: typeof import('pg');
}

// Not `import()`: that would load a second, ESM copy beside the application's CommonJS one.
const load = createRequire(__filename);

/**
 * Loads an optional package at its first use.
 *
 * @throws AgentError `missing_package` if it is not installed; the message names the command
 */
export function loadOptional<Name extends keyof OptionalPackages>(
  name: Name,
  needed: readonly string[],
): OptionalPackages[Name] {
  try {
    return load(name) as OptionalPackages[Name];
  } catch (error) {
    if (!isMissing(error, name)) throw error;
    throw new AgentError(
      'missing_package',
      `bullmqRuns() needs ${needed.join(' and ')}. Install with: npm install ${needed.join(' ')}`,
      { cause: error },
    );
  }
}

/** A package that is installed but broken inside is another matter, so the name must match. */
function isMissing(error: unknown, name: string): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return error.code === 'MODULE_NOT_FOUND' && error.message.includes(`'${name}'`);
}
