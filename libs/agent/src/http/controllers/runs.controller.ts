import { Delete, Get, Headers, HttpCode, Injectable, Param, Post, Req, Res } from '@nestjs/common';
import { AgentService, type ChatResult, type StartOptions } from '../../run';
import { invalidRequest, readBody } from '../body/json-body';
import { CallerResolver } from '../caller/caller.resolver';
import { runIdOf } from '../caller/identifiers';
import { Documented } from '../documented.decorator';
import { actionsOf, ActionsDto } from '../dto/actions.dto';
import { withoutNulls } from '../dto/without-nulls';
import { NeverCached } from '../never-cached.decorator';
import { RunResponder } from '../run.responder';
import { acceptsEventStream } from '../sse/accept';
import { peek } from '../sse/peek';
import { standingRun } from '../sse/standing-run';
import { nodeRequest } from '../wire/node-http';
import { TakenResponse } from '../wire/taken-response';

/** What a run does, and the answers to what it waits for. */
@NeverCached()
@Injectable()
export class RunsController {
  constructor(
    private readonly agent: AgentService,
    private readonly responder: RunResponder,
    private readonly callers: CallerResolver,
  ) {}

  @Post('runs/:runId/actions')
  @HttpCode(200)
  @Documented({
    summary: 'Answers what a run waits for; the run goes on when all is answered',
    body: () => ActionsDto,
    produces: ['application/json', 'text/event-stream'],
  })
  async act(
    @Param('runId') id: string,
    @Req() request: unknown,
    @Res({ passthrough: true }) response: unknown,
    @Headers('accept') accept?: string,
  ): Promise<ChatResult | undefined> {
    const body = await readBody(ActionsDto, request);
    const runId = runIdOf(id);
    const actions = actionsOf(body);
    const claim = this.callers.claim(request);
    const resume = (options: StartOptions) =>
      this.agent.resume(runId, actions, {
        ...options,
        ...(claim.sessionId !== undefined && { sessionId: claim.sessionId }),
        ...(body.frontendTools && { frontendTools: body.frontendTools.map(withoutNulls) }),
      });
    if (!acceptsEventStream(accept)) {
      return this.responder.answer({ request, response }, async (options) => {
        const resumed = await resume(options);
        return 'partial' in resumed ? resumed.partial : resumed;
      });
    }
    await this.responder.stream({ request, response }, async (options) => {
      const resumed = await resume(options);
      if (!('partial' in resumed)) return resumed;
      return standingRun(resumed.partial, await this.agent.events(runId, claim));
    });
    return undefined;
  }

  @Get('runs/:runId')
  @Documented({ summary: 'What became of a run, or has so far' })
  status(@Param('runId') id: string, @Req() request: unknown): Promise<ChatResult> {
    const runId = runIdOf(id);
    return this.agent.run(runId, this.callers.claim(request));
  }

  @Delete('runs/:runId')
  @Documented({ summary: 'Cancels a run' })
  cancel(@Param('runId') id: string, @Req() request: unknown): Promise<ChatResult> {
    const runId = runIdOf(id);
    return this.agent.cancel(runId, this.callers.claim(request));
  }

  @Get('runs/:runId/events')
  @Documented({
    summary: 'The events of a run, from the first or after Last-Event-ID',
    produces: ['text/event-stream'],
  })
  async events(
    @Param('runId') id: string,
    @Req() request: unknown,
    @Res() response: unknown,
    @Headers('last-event-id') lastEventId?: string,
  ): Promise<void> {
    const runId = runIdOf(id);
    const after = seqOf(lastEventId);
    const events = await this.agent.events(runId, { ...this.callers.claim(request), after });
    const { isEmpty, items } = await peek(events);
    if (isEmpty || nodeRequest(request).method === 'HEAD') {
      // An EventSource takes 204 for "do not come back"; a plain end it would answer by asking again.
      new TakenResponse(response).finish(204);
      return;
    }
    await this.responder.relay(response, runId, items);
  }
}

function seqOf(lastEventId: string | undefined): number {
  if (lastEventId === undefined || lastEventId === '') return 0;
  if (/^\d{1,15}$/.test(lastEventId)) return Number(lastEventId);
  throw invalidRequest(['Last-Event-ID has to be the id of an event of this run, a number.']);
}
