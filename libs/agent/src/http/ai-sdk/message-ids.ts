/*
 * The ids of the UI messages of a run. A run has one message of the user and one of the assistant,
 * so each id names the run.
 */

const ANSWER = 'msg_';
const QUESTION = 'usr_';
/** Front-ends may generate ids that begin like ours; every run's id begins so. */
const NAMED_RUN = /^(msg|usr)_(run_.+)$/;

export function answerIdOf(runId: string): string {
  return `${ANSWER}${runId}`;
}

/** The id of a run's question, where the client gave it none. */
export function questionIdOf(runId: string): string {
  return `${QUESTION}${runId}`;
}

/** The run that an id of ours names; `undefined` for an id of the client's own. */
export function runNamedBy(id: string): string | undefined {
  return NAMED_RUN.exec(id)?.[2];
}
