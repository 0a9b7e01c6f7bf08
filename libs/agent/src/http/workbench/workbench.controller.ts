import { Get, Injectable, Post } from '@nestjs/common';
import {
  type InspectedRequest,
  type RunPage,
  RunNotFoundError,
  type SessionTimeline,
  testOf,
} from '../../run';
import { invalidRequest, mustBe, nameAt, objectAt, readJsonBody, textAt } from '../body';
import { runIdOf, sessionIdOf } from '../caller';
import { Endpoint, type Exchange } from '../endpoint';
import { queryOf, whileConnected } from '../wire';
import type { AnswerToCall, TriedCall } from './tried-calls';
import type { WorkbenchEvals } from './workbench-evals';
import { WorkbenchServices } from './workbench-services';
import type { WorkbenchList, WorkbenchTool } from './workbench-tools';

/** The endpoints of the workbench, behind the agent's guards. */
@Injectable()
export class WorkbenchController {
  constructor(private readonly services: WorkbenchServices) {}

  @Get('workbench/tools')
  @Endpoint()
  list({ request }: Exchange): Promise<WorkbenchList> {
    return this.services.tools.list(
      this.services.callers.resolve(request),
      queryOf(request).get('all') === 'true',
    );
  }

  @Get('workbench/tools/:name')
  @Endpoint()
  detail({ request, params }: Exchange): Promise<WorkbenchTool> {
    return this.services.tools.detail(params['name'] ?? '', this.services.callers.resolve(request));
  }

  @Post('workbench/calls')
  @Endpoint()
  try({ request, response }: Exchange): Promise<TriedCall> {
    const body = readJsonBody(request);
    const name = nameAt(body['tool'], 'tool');
    const input = objectAt(body['input'], 'input') ?? {};
    const caller = this.services.callers.resolve(request);
    return whileConnected(response, (signal) =>
      this.services.tried.make(name, input, { ...caller, signal }),
    );
  }

  @Post('workbench/calls/:callId')
  @Endpoint()
  answer({ request, response, params }: Exchange): Promise<TriedCall> {
    const { type, ...body } = readJsonBody(request);
    if (type !== 'approve' && type !== 'decline') throw mustBe('type', '"approve" or "decline"');
    const reason = textAt(body['reason'], 'reason');
    const answer: AnswerToCall =
      type === 'approve' ? { type } : { type, ...(reason !== undefined && { reason }) };
    const caller = this.services.callers.resolve(request);
    return whileConnected(response, (signal) =>
      this.services.tried.answer(params['callId'] ?? '', answer, { ...caller, signal }),
    );
  }

  @Get('workbench/evals')
  @Endpoint()
  evals({ request }: Exchange): WorkbenchEvals {
    return this.services.evals.list(this.services.callers.resolve(request));
  }

  @Get('workbench/runs')
  @Endpoint()
  runsOf({ request }: Exchange): Promise<RunPage> {
    const query = queryOf(request);
    const { principal } = this.services.callers.resolve(request);
    const search = (query.get('search') ?? '').slice(0, MOST_SEARCHED);
    return this.services.runs.list(principal, {
      search,
      offset: numberOf(query.get('offset'), 'offset'),
    });
  }

  @Get('workbench/sessions/:id')
  @Endpoint()
  session({ request, params }: Exchange): Promise<SessionTimeline> {
    return this.services.runs.session(
      sessionIdOf(params['id']),
      this.services.callers.resolve(request),
    );
  }

  @Get('workbench/sessions/:id/runs/:runId/requests/:step')
  @Endpoint()
  request({ request, params }: Exchange): Promise<InspectedRequest> {
    const { id, runId, step = '' } = params;
    if (!/^\d{1,6}$/.test(step)) throw new RunNotFoundError();
    const of = { sessionId: sessionIdOf(id), runId: runIdOf(runId), step: Number(step) };
    return this.services.runs.request(of, this.services.callers.resolve(request));
  }

  @Get('workbench/sessions/:id/runs/:runId/test')
  @Endpoint()
  async test({ request, params }: Exchange): Promise<{ readonly code: string }> {
    const caller = this.services.callers.resolve(request);
    const run = await this.services.runs.run(
      sessionIdOf(params['id']),
      runIdOf(params['runId']),
      caller,
    );
    return { code: testOf(run, caller.principal) };
  }
}

/** Characters of a search. */
const MOST_SEARCHED = 200;

function numberOf(text: string | null, name: string): number {
  if (text === null) return 0;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw invalidRequest([`${name} must be a whole number, 0 or more.`]);
}
