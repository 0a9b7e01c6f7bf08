import { loadOptional as loadPackage } from '../tool';

interface OptionalPackages {
  readonly bullmq: typeof import('bullmq');
  readonly ioredis: typeof import('ioredis');
  readonly pg: typeof import('pg');
}

/**
 * Loads an optional package of `bullmqRuns()` at its first use.
 *
 * @throws MissingPackageError if it is not installed
 */
export function loadOptional<Name extends keyof OptionalPackages>(
  name: Name,
  needed: readonly string[],
): OptionalPackages[Name] {
  return loadPackage<OptionalPackages[Name]>(name, 'bullmqRuns()', needed);
}
