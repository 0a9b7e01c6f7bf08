import { Delete, Get, Inject, Injectable, Post } from '@nestjs/common';
import type { ChatModel } from '../../model';
import {
  OWN_MODEL,
  AgentService,
  RUN_OPTIONS,
  type RunOptions,
  SessionService,
  OWN_AGENT,
  OWN_SESSIONS,
} from '../../run';
import { SessionNotFoundError } from '../../session';
import {
  type AgUiInput,
  agUiInputOf,
  AgUiRuns,
  AgUiStream,
  attachmentsIn,
  capabilitiesOf,
  historyOf,
} from '../ag-ui';
import {
  AG_UI_EVENTS,
  AgUiCapabilitiesDto,
  AgUiInputDto,
  AgUiMessageDto,
  Documented,
} from '../answers';
import { checkRest, invalidRequest, readJsonBody } from '../body';
import { CallerResolver } from '../caller';
import { Endpoint, type Exchange } from '../endpoint';
import { requestError } from '../errors';
import { type AgentHttpOptions, HTTP_OPTIONS } from '../options';
import { RunResponder } from '../sse';
import { ClientThreads, type Thread } from '../threads';

/** AG-UI 1.0, and 0.0.59. */
@Injectable()
export class AgUiController {
  constructor(
    @Inject(OWN_AGENT) private readonly agent: AgentService,
    @Inject(OWN_SESSIONS) private readonly sessions: SessionService,
    private readonly runs: AgUiRuns,
    private readonly threads: ClientThreads,
    private readonly responder: RunResponder,
    private readonly callers: CallerResolver,
    @Inject(OWN_MODEL) private readonly model: ChatModel,
    @Inject(RUN_OPTIONS) private readonly run: RunOptions,
    @Inject(HTTP_OPTIONS) private readonly options: AgentHttpOptions,
  ) {}

  @Post('ag-ui')
  @Documented({
    summary: 'AG-UI: one run of a front-end',
    body: AgUiInputDto,
    stream: AG_UI_EVENTS,
  })
  @Endpoint()
  async serve(exchange: Exchange): Promise<void> {
    const { limits, sse } = this.options;
    const input = agUiInputOf(readJsonBody(exchange.request));
    checkRest(exchange.request, attachmentsIn(input.messages), limits.uiBodyBytes);
    const { principal } = this.callers.resolve(exchange.request);
    const thread =
      (await this.threads.find(input.threadId, principal)) ?? (await this.begin(input, principal));
    const stream = new AgUiStream(exchange.response, sse);
    try {
      await this.responder.whileConnected(exchange, (options) =>
        this.runs.serve({ input, thread, options }, stream),
      );
    } finally {
      stream.close();
    }
  }

  @Get('ag-ui/capabilities')
  @Documented({
    summary: 'AG-UI: what the agent can do for this caller',
    answer: AgUiCapabilitiesDto,
  })
  @Endpoint()
  async capabilities({ request }: Exchange): Promise<object> {
    const { run, model, options: http } = this;
    const tools = await this.agent.offeredTools(this.callers.resolve(request));
    return capabilitiesOf({ http, run, model, tools });
  }

  @Get('ag-ui/:threadId/messages')
  @Documented({
    summary: 'AG-UI: the messages of a thread, for initialMessages',
    params: { threadId: 'The thread' },
    answer: [AgUiMessageDto],
  })
  @Endpoint()
  async messages({ request, params }: Exchange): Promise<readonly object[]> {
    const caller = this.callers.resolve(request);
    const { sessionId } = await this.threads.get(params['threadId'], caller.principal);
    const { sendReasoning } = this.options;
    return historyOf(await this.sessions.transcript(sessionId, caller), { sendReasoning });
  }

  @Delete('ag-ui/:threadId/run')
  @Documented({
    summary: 'AG-UI: stops the run of a thread',
    params: { threadId: 'The thread' },
    status: 204,
  })
  @Endpoint()
  async stop({ request, params, response }: Exchange): Promise<void> {
    const caller = this.callers.resolve(request);
    const { sessionId, run } = await this.threads.get(params['threadId'], caller.principal);
    if (run !== undefined) await this.agent.cancel(run.runId, { ...caller, sessionId });
    response.send(204);
  }

  /** A session for a thread that has none. */
  private async begin(input: AgUiInput, principal: string | undefined): Promise<Thread> {
    if (principal === undefined) {
      throw requestError(
        404,
        'session_not_found',
        `There is no such thread. Create one with POST /${this.options.path}/sessions, and send its sessionId as threadId.`,
      );
    }
    // A conversation that has gone on elsewhere: a fresh start would silently forget it.
    if (input.hasAssistant) throw new SessionNotFoundError();
    if (input.trailing.length === 0) {
      throw invalidRequest(['messages must have a message of the user: the thread has none yet.']);
    }
    return this.threads.begin(input.threadId, principal);
  }
}
