import { RunNotFoundError } from '../../run';
import { SessionNotFoundError } from '../../session';

/**
 * The shape of every id that the server issues; other values are rejected without a store look-up.
 */
const ID = /^[A-Za-z0-9_-]{1,128}$/;

/** Whether the server could have issued this id. */
export function isId(text: string): boolean {
  return ID.test(text);
}

/** @throws RunNotFoundError if the text cannot be a run's id */
export function runIdOf(text: string | undefined): string {
  if (text === undefined || !ID.test(text)) throw new RunNotFoundError();
  return text;
}

/** @throws SessionNotFoundError if the text cannot be a session's id */
export function sessionIdOf(text: string | undefined): string {
  if (text === undefined || !ID.test(text)) throw new SessionNotFoundError();
  return text;
}
