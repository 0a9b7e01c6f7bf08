import { randomBytes } from 'node:crypto';

/** 144 random bits: where nobody is logged in, the session id is all that protects a session. */
function randomId(prefix: string): string {
  return `${prefix}_${randomBytes(18).toString('base64url')}`;
}

export const newSessionId = (): string => randomId('ses');
export const newRunId = (): string => randomId('run');
export const newCallId = (): string => randomId('call');
