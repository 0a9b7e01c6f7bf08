import { Logger } from '@nestjs/common';

type Address = Parameters<typeof fetch>[0];

const logger = new Logger('AgentModel');

/**
 * The log line of a failed attempt, by an object of its error: the number of attempts is known only
 * at the end of a request. SDKs pass headers and causes on unchanged.
 */
const lines = new WeakMap<object, string>();

/** Keeps the line about a host that did not answer: its address, and the reason. */
export function keepUnreachable(error: unknown, address: Address): void {
  if (typeof error !== 'object' || error === null) return;
  lines.set(error, `${hostOf(address)} could not be reached${reasonOf(error)}`);
}

/**
 * Keeps the line about a refused request.
 *
 * @param at the error, or the headers that come with it
 * @param words the provider's own words, without secrets
 */
export function keepRefusal(at: object, address: Address, status: number, words: string): void {
  lines.set(at, `${hostOf(address)} answered HTTP ${status}${words === '' ? '' : `: ${words}`}`);
}

/** Keeps the line about an error that a provider reported within an answer. */
export function keepReported(at: object, address: Address, words: string): void {
  lines.set(at, `${hostOf(address)} reported an error in its answer: ${words}`);
}

/** Logs the line kept for an error, if any. */
export function logKept(error: unknown): void {
  const failed = new FailedAttempts();
  failed.add(error);
  failed.log(false);
}

/** The attempts of one request to a provider; logged once, when the last one has ended. */
export class FailedAttempts {
  private count = 0;
  private line: string | undefined;

  add(error: unknown): void {
    this.count += 1;
    this.line = lineOf(error) ?? this.line;
  }

  /**
   * Writes to the log only, never to clients. @param isAnswered whether a further attempt succeeded
   */
  log(isAnswered: boolean): void {
    const { line, count } = this;
    if (line === undefined) return;
    if (isAnswered) logger.warn(`${line} (attempt ${count + 1} was answered)`);
    else logger.warn(count === 1 ? line : `${line} (${count} attempts)`);
  }
}

/** A cause may be its own cause. */
const MOST_CAUSES = 5;

/** The line kept for an error, for its headers or for its cause. */
function lineOf(error: unknown, depth = 0): string | undefined {
  if (!(error instanceof Error) || depth > MOST_CAUSES) return undefined;
  const { headers } = error as { readonly headers?: unknown };
  const ofHeaders = headers instanceof Headers ? lines.get(headers) : undefined;
  return lines.get(error) ?? ofHeaders ?? lineOf(error.cause, depth + 1);
}

function hostOf(address: Address): string {
  const url = address instanceof Request ? address.url : String(address);
  return URL.canParse(url) ? new URL(url).host : 'The provider';
}

/**
 * Only the code, such as ECONNREFUSED: a message may quote the request. `fetch` wraps the error.
 */
function reasonOf(error: unknown): string {
  const cause: unknown = error instanceof Error ? (error.cause ?? error) : error;
  const code: unknown = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? `: ${code}` : '';
}
