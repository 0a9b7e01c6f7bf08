import { createHash } from 'node:crypto';

/**
 * The id of the run of an asked agent. It follows from the call, so that a call never has two, also
 * after a crash.
 */
export function childRunId(runId: string, callId: string): string {
  return `run_${digest(runId, callId)}`;
}

/**
 * The id of a session in which an agent is asked from a conversation.
 *
 * @param index counts the sessions of that agent from 0: one that waits takes no other question
 */
export function childSessionId(sessionId: string, agent: string, index: number): string {
  return `ses_${digest(sessionId, agent, String(index))}`;
}

function digest(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
