import { AgentApi, isObjectWith } from '../wire';
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

/** The address of a run. */
type RunPlace = Pick<RunTimeline, 'sessionId' | 'runId'>;

/** The endpoints of the workbench. */
export class WorkbenchApi extends AgentApi {
  list(isAll: boolean): Promise<WorkbenchList> {
    return this.json(`/workbench/tools${isAll ? '?all=true' : ''}`, isObjectWith('tools'));
  }

  inFull(name: string): Promise<WorkbenchTool> {
    return this.json(`/workbench/tools/${encodeURIComponent(name)}`, isObjectWith('dialects'));
  }

  call(tool: string, input: JsonObject): Promise<TriedCall> {
    return this.json('/workbench/calls', isObjectWith('callId'), { body: { tool, input } });
  }

  answer(callId: string, type: 'approve' | 'decline'): Promise<TriedCall> {
    const path = `/workbench/calls/${encodeURIComponent(callId)}`;
    return this.json(path, isObjectWith('callId'), { body: { type } });
  }

  evals(): Promise<WorkbenchEvals> {
    return this.json('/workbench/evals', isObjectWith('models'));
  }

  runs(search: string, offset: number): Promise<RunPage> {
    const query = new URLSearchParams({ search, offset: String(offset) }).toString();
    return this.json(`/workbench/runs?${query}`, isObjectWith('runs'));
  }

  async session(sessionId: string): Promise<readonly RunTimeline[]> {
    const path = `/workbench/sessions/${encodeURIComponent(sessionId)}`;
    return (await this.json<{ runs: readonly RunTimeline[] }>(path, isObjectWith('runs'))).runs;
  }

  requestOf(run: RunPlace, step: number): Promise<InspectedRequest> {
    return this.json(`${pathOf(run)}/requests/${step}`, isObjectWith('request'));
  }

  async testOf(run: RunPlace): Promise<string> {
    return (await this.json<{ code: string }>(`${pathOf(run)}/test`, isObjectWith('code'))).code;
  }
}

function pathOf({ sessionId, runId }: RunPlace): string {
  return `/workbench/sessions/${encodeURIComponent(sessionId)}/runs/${encodeURIComponent(runId)}`;
}
