import { jsonIn } from '../internal';
import { ModelError } from '../model';
import {
  keepRefusal,
  keepReported,
  keepUnreachable,
  loggableWords,
  secretsIn,
} from '../model/stream';
import { providerWords, type AiSdkError } from './ai-sdk-error';

/** The environment's secrets, by the names under which packages look for their keys. */
const SECRET_NAMES = /(?:KEY|TOKEN|SECRET|PASSWORD|PASSPHRASE|CREDENTIAL)S?$/i;
/** Part of a key that a provider masked itself. */
const MASKED = /\*{2}|\.{3}\w|\u2026\w/;
/** The form of keys: long, of letters and digits. Names and dates are shorter between hyphens. */
const LONG = /[A-Za-z0-9]{12,}/g;

/**
 * Keeps the failure of a provider's package for the log: the status and message of a refusal, the
 * words of an error within an answer, or the host that did not answer. The package sends its
 * requests itself, so its key is unknown here, and words that look like a key are left out.
 */
export function keepForLog(
  error: unknown,
  headers: Readonly<Record<string, string | undefined>> = {},
): void {
  if (!(error instanceof Error)) return;
  const wordsOf = (said: unknown): string => {
    const secrets = [...environmentSecrets(), ...secretsIn(Object.entries(headers))];
    return loggableWords(said, secrets, looksSecret);
  };
  const failure = error instanceof ModelError && error.cause !== undefined ? error.cause : error;
  // A value that is not an `Error` comes from the provider itself.
  if (!(failure instanceof Error)) {
    keepReported(error, '', wordsOf(failure));
    return;
  }
  const { name, statusCode, url }: AiSdkError = failure;
  const address = typeof url === 'string' ? url : '';
  if (typeof statusCode === 'number') {
    keepRefusal(error, address, statusCode, wordsOf(providerWords(failure)));
  } else if (name === 'AI_APICallError' && address !== '') {
    keepUnreachable(error, address);
  }
}

function environmentSecrets(): readonly string[] {
  return Object.entries(process.env).flatMap(([name, value]) =>
    value !== undefined && SECRET_NAMES.test(name) ? textsOf(structureOf(value)) : [],
  );
}

/** A secret may be JSON, such as the key of a Google account. */
function structureOf(value: string): unknown {
  const json = jsonIn(value);
  return typeof json === 'object' && json !== null ? json : value;
}

/** The texts of a secret: those with a secret's name, or all if none has one. */
function textsOf(secret: unknown): readonly string[] {
  if (typeof secret === 'string') return [secret];
  const parts = Object.entries(secret ?? {});
  const named = parts.filter(([name]) => SECRET_NAMES.test(name));
  return (named.length > 0 ? named : parts).flatMap(([, part]) => textsOf(part));
}

function looksSecret(word: string): boolean {
  const runs = word.match(LONG) ?? [];
  return MASKED.test(word) || runs.some((run) => /\d/.test(run) && /[A-Za-z]/.test(run));
}
