import { createHash } from 'node:crypto';

/**
 * The run id of an asked agent. It is derived from the call, so that a call never has two runs, even
 * after a crash.
 */
export function childRunId(runId: string, callId: string): string {
  return `run_${digest(runId, callId)}`;
}

/**
 * The id of a session in which an agent answers another agent's questions.
 *
 * @param index counts that agent's sessions from 0: a waiting session takes no other question
 */
export function childSessionId(sessionId: string, agent: string, index: number): string {
  return `ses_${digest(sessionId, agent, String(index))}`;
}

function digest(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
