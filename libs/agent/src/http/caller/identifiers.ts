import { RunNotFoundError } from '../../run';
import { SessionNotFoundError } from '../../session';

/** The shape of every id that the server issues; nothing else is worth asking a store for. */
const ID = /^[A-Za-z0-9_-]{1,128}$/;

/** @throws RunNotFoundError where the text cannot be a run's id */
export function runIdOf(text: string | undefined): string {
  if (text === undefined || !ID.test(text)) throw new RunNotFoundError();
  return text;
}

/** @throws SessionNotFoundError where the text cannot be a session's id */
export function sessionIdOf(text: string | undefined): string {
  if (text === undefined || !ID.test(text)) throw new SessionNotFoundError();
  return text;
}
