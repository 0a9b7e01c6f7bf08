import type { ChatResult } from '../../../agent/src/run';
import type { EvaluatedAgent } from '../../../agent/src/evals/cases';
import { type ActionBody, AgentApi, type EventStream, type RunAddress } from '../wire';
import type {
  InspectedRequest,
  JsonObject,
  RunPage,
  RunTimeline,
  WorkbenchEvals,
  WorkbenchTool,
  WorkbenchList,
  TriedCall,
} from './protocol';
import { workbenchWords } from './texts';

/** For who never stops. */
const NEVER = new AbortController().signal;

/** The address of a run. */
type RunPlace = Pick<RunTimeline, 'sessionId' | 'runId'>;

/** The endpoints of the workbench. */
export class WorkbenchApi extends AgentApi {
  /** Those of the page, for problems that it finds itself. */
  words = workbenchWords('en');

  list(isAll: boolean): Promise<WorkbenchList> {
    return this.json(`/workbench/tools${isAll ? '?all=true' : ''}`, has('tools'));
  }

  inFull(name: string): Promise<WorkbenchTool> {
    return this.json(`/workbench/tools/${encodeURIComponent(name)}`, has('dialects'));
  }

  call(tool: string, input: JsonObject): Promise<TriedCall> {
    return this.json('/workbench/calls', has('callId'), { body: { tool, input } });
  }

  answer(callId: string, type: 'approve' | 'decline'): Promise<TriedCall> {
    const path = `/workbench/calls/${encodeURIComponent(callId)}`;
    return this.json(path, has('callId'), { body: { type } });
  }

  evals(): Promise<WorkbenchEvals> {
    return this.json('/workbench/evals', has('models'));
  }

  /** The agent behind this page, asked as the caller. It listens along, to cancel what is stopped. */
  readonly agent: EvaluatedAgent = {
    chat: ({ message, sessionId, model }, { signal = NEVER } = {}) => {
      const body = { message, ...(sessionId && { sessionId }), ...(model && { model }) };
      return this.ended((until) => this.chat(body, until), signal);
    },
    resolve: (runId, actions, { sessionId, signal = NEVER } = {}) => {
      const run = { runId, sessionId };
      const body = { actions: actions as readonly ActionBody[] };
      return this.ended((until) => this.act(run, body, until), signal, run);
    },
    cancel: (runId, { sessionId } = {}) => this.cancel({ runId, sessionId }),
  };

  /** A run at its end, or where it waits. */
  private async ended(
    begin: (signal: AbortSignal) => Promise<EventStream>,
    signal: AbortSignal,
    known?: RunAddress,
  ): Promise<ChatResult> {
    let run = known;
    try {
      for await (const event of await begin(signal)) {
        if (event.type === 'run.started') run = { runId: event.runId, sessionId: event.sessionId };
      }
    } catch (error) {
      // Where the application lets runs go on without their client, this one must not.
      if (signal.aborted && run) await this.cancel(run).catch(() => undefined);
      throw error;
    }
    const result = run && ((await this.runIfAny(run)) as ChatResult | undefined);
    if (result && result.status !== 'running' && result.status !== 'queued') return result;
    throw new Error(this.words.evaluate.cut);
  }

  runs(search: string, offset: number): Promise<RunPage> {
    const query = new URLSearchParams({ search, offset: String(offset) }).toString();
    return this.json(`/workbench/runs?${query}`, has('runs'));
  }

  async session(sessionId: string): Promise<readonly RunTimeline[]> {
    const path = `/workbench/sessions/${encodeURIComponent(sessionId)}`;
    return (await this.json<{ runs: readonly RunTimeline[] }>(path, has('runs'))).runs;
  }

  requestOf(run: RunPlace, step: number): Promise<InspectedRequest> {
    return this.json(`${pathOf(run)}/requests/${step}`, has('request'));
  }

  async testOf(run: RunPlace): Promise<string> {
    return (await this.json<{ code: string }>(`${pathOf(run)}/test`, has('code'))).code;
  }
}

function pathOf({ sessionId, runId }: RunPlace): string {
  return `/workbench/sessions/${encodeURIComponent(sessionId)}/runs/${encodeURIComponent(runId)}`;
}

function has(key: string): (value: unknown) => boolean {
  return (value) => typeof value === 'object' && value !== null && key in value;
}
