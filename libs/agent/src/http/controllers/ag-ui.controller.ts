import { Delete, Get, Injectable, Post } from '@nestjs/common';
import { SessionNotFoundError } from '../../session';
import { type AgUiInput, agUiInputOf, attachmentsIn, capabilitiesOf, historyOf } from '../ag-ui';
import {
  AG_UI_EVENTS,
  AgUiCapabilitiesDto,
  AgUiInputDto,
  AgUiMessageDto,
  DocumentedEndpoint,
} from '../answers';
import { checkRest, invalidRequest, readJsonBody } from '../body';
import { type Exchange } from '../endpoint';
import { requestError } from '../errors';
import { FrameWriter } from '../sse';
import { type Thread } from '../threads';
import { EndpointServices } from './endpoint-services';

/** AG-UI 1.0, and 0.0.59. */
@Injectable()
export class AgUiController {
  constructor(private readonly services: EndpointServices) {}

  @Post('ag-ui')
  @DocumentedEndpoint({
    summary: 'AG-UI: one run of a front-end',
    body: AgUiInputDto,
    stream: AG_UI_EVENTS,
  })
  async serve(exchange: Exchange): Promise<void> {
    const { limits, sse } = this.services.options;
    const input = agUiInputOf(readJsonBody(exchange.request));
    checkRest(exchange.request, attachmentsIn(input.messages), limits.uiBodyBytes);
    const { principal } = this.services.callers.resolve(exchange.request);
    const thread =
      (await this.services.threads.find(input.threadId, principal)) ??
      (await this.begin(input, principal));
    const stream = new FrameWriter(exchange.response, sse);
    try {
      await this.services.responder.whileConnected(exchange, (options) =>
        this.services.agUiRuns.serve({ input, thread, options }, stream),
      );
    } finally {
      stream.close();
    }
  }

  @Get('ag-ui/capabilities')
  @DocumentedEndpoint({
    summary: 'AG-UI: the capabilities of the agent for this caller',
    answer: AgUiCapabilitiesDto,
  })
  async capabilities({ request }: Exchange): Promise<object> {
    const { run, model, options: http } = this.services;
    const tools = await this.services.agent.offeredTools(this.services.callers.resolve(request));
    return capabilitiesOf({ http, run, model, tools });
  }

  @Get('ag-ui/:threadId/messages')
  @DocumentedEndpoint({
    summary: 'AG-UI: the messages of a thread, for initialMessages',
    params: { threadId: 'The thread' },
    answer: [AgUiMessageDto],
  })
  async messages({ request, params }: Exchange): Promise<readonly object[]> {
    const caller = this.services.callers.resolve(request);
    const { sessionId, run } = await this.services.threads.get(
      params['threadId'],
      caller.principal,
    );
    const { sendReasoning } = this.services.options;
    const transcript = await this.services.sessions.transcript(sessionId, caller);
    return historyOf(transcript, { run, sendReasoning });
  }

  @Delete('ag-ui/:threadId/run')
  @DocumentedEndpoint({
    summary: 'AG-UI: stops the run of a thread',
    params: { threadId: 'The thread' },
    status: 204,
  })
  async stop({ request, params, response }: Exchange): Promise<void> {
    const caller = this.services.callers.resolve(request);
    const { sessionId, run } = await this.services.threads.get(
      params['threadId'],
      caller.principal,
    );
    if (run !== undefined) await this.services.agent.cancel(run.runId, { ...caller, sessionId });
    response.send(204);
  }

  /** A session for a thread that has none. */
  private async begin(input: AgUiInput, principal: string | undefined): Promise<Thread> {
    if (principal === undefined) {
      throw requestError(
        404,
        'session_not_found',
        `There is no such thread. Create one with POST /${this.services.options.path}/sessions, and send its sessionId as threadId.`,
      );
    }
    // A conversation that has gone on elsewhere: a fresh start would silently forget it.
    if (input.hasAssistant) throw new SessionNotFoundError();
    if (input.trailing.length === 0) {
      throw invalidRequest(['messages must have a message of the user: the thread has none yet.']);
    }
    return this.services.threads.begin(input.threadId, principal);
  }
}
