import { randomBytes } from 'node:crypto';

/** 144 random bits: for anonymous callers, the session id is the session's only protection. */
function randomId(prefix: string): string {
  return `${prefix}_${randomBytes(18).toString('base64url')}`;
}

export const newSessionId = (): string => randomId('ses');
export const newRunId = (): string => randomId('run');
export const newCallId = (): string => randomId('call');
