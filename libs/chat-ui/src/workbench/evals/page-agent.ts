import type { EvaluatedAgent } from '../../../../agent/src/evals/cases';
import type { ChatResult } from '../../../../agent/src/run';
import type { ActionBody, AgentApi, EventStream, RunAddress } from '../../wire';

/** For callers that never stop. */
const NEVER = new AbortController().signal;

/**
 * The agent behind the page, asked as the logged-in user. Its runs are cancelled with the signal.
 *
 * @param cutOff the problem of a run whose end the page does not get
 */
export function pageAgent(api: AgentApi, cutOff: string): EvaluatedAgent {
  /** A run at its end, or where it waits. */
  const ended = async (
    begin: (signal: AbortSignal) => Promise<EventStream>,
    signal: AbortSignal,
    known?: RunAddress,
  ): Promise<ChatResult> => {
    let run = known;
    try {
      for await (const event of await begin(signal)) {
        if (event.type === 'run.started') run = { runId: event.runId, sessionId: event.sessionId };
      }
    } catch (error) {
      // Where the application lets runs go on without their client, this one must not.
      if (signal.aborted && run) await api.cancel(run).catch(() => undefined);
      throw error;
    }
    const result = run && ((await api.runIfAny(run)) as ChatResult | undefined);
    if (result && result.status !== 'running' && result.status !== 'queued') return result;
    throw new Error(cutOff);
  };
  return {
    chat: ({ message, sessionId, model }, { signal = NEVER } = {}) => {
      const body = { message, ...(sessionId && { sessionId }), ...(model && { model }) };
      return ended((until) => api.chat(body, until), signal);
    },
    resolve: (runId, actions, { sessionId, signal = NEVER } = {}) => {
      const run = { runId, sessionId };
      const body = { actions: actions as readonly ActionBody[] };
      return ended((until) => api.act(run, body, until), signal, run);
    },
    cancel: (runId, { sessionId } = {}) => api.cancel({ runId, sessionId }),
  };
}
