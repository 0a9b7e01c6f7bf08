import { Delete, Get, Injectable, Post } from '@nestjs/common';
import { type ChatResult, type StartOptions } from '../../run';
import { ChatResultDto, DocumentedEndpoint, EVENTS } from '../answers';
import { invalidRequest, readBody } from '../body';
import { runIdOf } from '../caller';
import { ActionsDto, actionsOf, withoutNulls } from '../dto';
import { type Exchange } from '../endpoint';
import { acceptsEventStream, peek } from '../sse';
import { headerOf, nodeRequest } from '../wire';
import { EndpointServices } from './endpoint-services';

/** A run's events, and the answers to its pending actions. */
@Injectable()
export class RunsController {
  constructor(private readonly services: EndpointServices) {}

  @Post('runs/:runId/actions')
  @DocumentedEndpoint({
    summary: "Answers a run's pending actions; the run continues once all are answered",
    params: { runId: 'The run' },
    body: ActionsDto,
    answer: ChatResultDto,
    stream: EVENTS,
  })
  async act(exchange: Exchange): Promise<ChatResult | undefined> {
    const { request, params } = exchange;
    const body = await readBody(ActionsDto, request);
    const runId = runIdOf(params['runId']);
    const actions = actionsOf(body);
    const claim = this.services.callers.claim(request);
    const resume = (options: StartOptions) =>
      this.services.agent.resume(runId, actions, {
        ...options,
        ...(claim.sessionId !== undefined && { sessionId: claim.sessionId }),
        ...(body.frontendTools && { frontendTools: body.frontendTools.map(withoutNulls) }),
      });
    if (!acceptsEventStream(request)) {
      return this.services.responder.answer(exchange, resume);
    }
    await this.services.responder.stream(exchange, (options) =>
      resume({ ...options, frontend: 'wait' }),
    );
    return undefined;
  }

  @Get('runs/:runId')
  @DocumentedEndpoint({
    summary: 'The result of a run, or its state so far',
    params: { runId: 'The run' },
    answer: ChatResultDto,
  })
  status({ request, params }: Exchange): Promise<ChatResult> {
    const runId = runIdOf(params['runId']);
    return this.services.agent.run(runId, this.services.callers.claim(request));
  }

  @Delete('runs/:runId')
  @DocumentedEndpoint({
    summary: 'Cancels a run',
    params: { runId: 'The run' },
    answer: ChatResultDto,
  })
  cancel({ request, params }: Exchange): Promise<ChatResult> {
    const runId = runIdOf(params['runId']);
    return this.services.agent.cancel(runId, this.services.callers.claim(request));
  }

  @Get('runs/:runId/events')
  @DocumentedEndpoint({
    summary: 'The events of a run, from the first or after Last-Event-ID',
    params: { runId: 'The run' },
    stream: EVENTS,
    emptyIf: 'The run has no further events',
  })
  async events({ request, params, response }: Exchange): Promise<void> {
    const runId = runIdOf(params['runId']);
    const after = seqOf(headerOf(request, 'last-event-id'));
    const claim = this.services.callers.claim(request);
    const gone = new AbortController();
    const stop = response.onDisconnect(() => gone.abort());
    try {
      const { signal } = gone;
      const { isEmpty, items } = await peek(
        await this.services.agent.events(runId, { ...claim, after, signal }),
      );
      if (isEmpty || nodeRequest(request).method === 'HEAD') {
        // An EventSource stops reconnecting on 204; after a plain end of the stream it would
        // reconnect.
        response.send(204);
        gone.abort();
        return;
      }
      await this.services.responder.relay(response, { runId, events: items });
    } finally {
      stop();
    }
  }
}

function seqOf(lastEventId: string | undefined): number {
  if (lastEventId === undefined || lastEventId === '') return 0;
  if (/^\d{1,15}$/.test(lastEventId)) return Number(lastEventId);
  throw invalidRequest(['Last-Event-ID must be the id of an event of this run, a number.']);
}
