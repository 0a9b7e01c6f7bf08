import {
  aFunction,
  anObject,
  count,
  either,
  isObject,
  listOf,
  ofKind,
  oneOf,
  optionsOf,
  problemsOf,
} from '../checks';
import type { RunCredentials } from '../run';
import { InvalidOptionsError } from '../tool';
import type { BullmqRunsOptions } from './bullmq-options';

const MIN_SECRET_CHARS = 32;

const secret = ofKind(
  `a text of at least ${MIN_SECRET_CHARS} characters`,
  (value) => typeof value === 'string' && value.length >= MIN_SECRET_CHARS,
);
const secrets = ofKind(
  'a list of at least one secret',
  (value) => !Array.isArray(value) || value.length > 0,
);

const CHECK = optionsOf<BullmqRunsOptions>({
  backend: oneOf('redis', 'postgres'),
  connection: ofKind('options such as { host, port }', (value) => !isClient(value)),
  role: oneOf('web', 'worker', 'both'),
  concurrency: ofKind('a whole number above 0', isCount),
  maxAttempts: count,
  credentials: either(
    (value) => value === 'none',
    optionsOf<RunCredentials>({ delegate: aFunction, redeem: aFunction, secrets: listOf(secret) }),
  ),
  prefix: ofKind(
    'a text of at most 64 letters, digits, ".", "_" and "-"',
    (value) => typeof value === 'string' && /^[\w.-]{1,64}$/.test(value),
  ),
});

/** @throws InvalidOptionsError with all invalid options */
export function assertOptions(options: BullmqRunsOptions): void {
  const problems = [
    ...problemsOf(CHECK, options, 'options'),
    ...(isObject(options) ? requiredOf(options) : []),
  ];
  if (problems.length > 0) throw new InvalidOptionsError(problems, 'bullmqRuns()');
}

/** Required: an unset environment variable must not lead to a default server. */
function requiredOf(options: Readonly<Record<string, unknown>>): readonly string[] {
  const { connection, credentials } = options;
  const needed = problemsOf(anObject, connection, 'options.connection');
  const unset = isObject(connection)
    ? ['url', 'connectionString', 'host'].filter(
        (key) =>
          key in connection && (typeof connection[key] !== 'string' || connection[key] === ''),
      )
    : [];
  return [
    ...needed,
    ...unset.map((key) => `options.connection.${key} must be a non-empty text`),
    ...(isObject(credentials) ? credentialsProblems(credentials) : []),
  ];
}

function credentialsProblems(credentials: Readonly<Record<string, unknown>>): readonly string[] {
  const missing = ['delegate', 'redeem', 'secrets'].filter((key) => credentials[key] === undefined);
  return [
    ...missing.map((key) => `options.credentials.${key} is missing`),
    ...problemsOf(secrets, credentials['secrets'], 'options.credentials.secrets'),
  ];
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

/** Ready clients are refused: workers need their own connections with other settings. */
function isClient(value: unknown): boolean {
  return isObject(value) && typeof value['duplicate'] === 'function';
}
