import { Delete, Get, Injectable, Post } from '@nestjs/common';
import { type RunHandle, type StartOptions } from '../../run';
import {
  AiSdkEncoder,
  type AiSdkRequest,
  aiSdkRequestOf,
  type AiSdkTurn,
  answerIdOf,
  uiMessagesOf,
  withoutAnswered,
} from '../ai-sdk';
import { AiSdkRequestDto, DocumentedEndpoint, UI_CHUNKS, UiMessageDto } from '../answers';
import { checkRest, readJsonBody } from '../body';
import { type Exchange } from '../endpoint';
import { isUnderWay } from '../../message';
import { nodeRequest } from '../wire';
import { EndpointServices } from './endpoint-services';

type Started = Exclude<AiSdkTurn, { type: 'replay' }>;

/** The AI SDK's UI message stream, for `useChat`. */
@Injectable()
export class AiSdkController {
  constructor(private readonly services: EndpointServices) {}

  @Post('ai-sdk')
  @DocumentedEndpoint({
    summary: "Sends a message, or answers to pending actions, in the AI SDK's protocol",
    body: AiSdkRequestDto,
    stream: UI_CHUNKS,
  })
  async send(exchange: Exchange): Promise<void> {
    const request = aiSdkRequestOf(readJsonBody(exchange.request));
    checkRest(exchange.request, request.files, this.services.options.limits.uiBodyBytes);
    const turn = await this.services.aiSdkTurns.of(
      request,
      this.services.callers.resolve(exchange.request),
    );
    if (turn.type === 'replay') return this.replay(exchange, turn);
    return this.services.responder.stream(
      exchange,
      (options) => this.begin(turn, request, options),
      {
        encoderFor: (run) => this.encoderOf(run, turn, request),
      },
    );
  }

  @Get('ai-sdk/:id/stream')
  @DocumentedEndpoint({
    summary: 'The stream of a chat whose run is active, from its first event',
    params: { id: 'The chat' },
    stream: UI_CHUNKS,
    emptyIf: 'No run of the chat is active',
  })
  async resume(exchange: Exchange): Promise<void> {
    const { principal } = this.services.callers.resolve(exchange.request);
    const thread = await this.services.threads.find(exchange.params['id'], principal);
    const isAsked = nodeRequest(exchange.request).method !== 'HEAD';
    if (!thread?.run || !isUnderWay(thread.run.status) || !isAsked) {
      return exchange.response.send(204);
    }
    const { sessionId, run } = thread;
    await this.replay(exchange, { sessionId, runId: run.runId });
  }

  @Delete('ai-sdk/:id/stream')
  @DocumentedEndpoint({
    summary: 'Stops the active run of a chat',
    params: { id: 'The chat' },
    status: 204,
  })
  async stop(exchange: Exchange): Promise<void> {
    const caller = this.services.callers.resolve(exchange.request);
    const thread = await this.services.threads.find(exchange.params['id'], caller.principal);
    if (thread?.run && isUnderWay(thread.run.status)) {
      const { sessionId, run } = thread;
      await this.services.agent.cancel(run.runId, { ...caller, sessionId });
    }
    exchange.response.send(204);
  }

  @Get('ai-sdk/:id/messages')
  @DocumentedEndpoint({
    summary: "The messages of a chat in the AI SDK's form, with pending actions",
    params: { id: 'The chat' },
    answer: [UiMessageDto],
  })
  async messages({ request, params }: Exchange): Promise<ReturnType<typeof uiMessagesOf>> {
    const caller = this.services.callers.resolve(request);
    const thread = await this.services.threads.get(params['id'], caller.principal);
    const transcript = await this.services.sessions.transcript(thread.sessionId, caller);
    const { sendReasoning } = this.services.options;
    return uiMessagesOf(transcript, { thread, sendReasoning });
  }

  private begin(
    turn: Started,
    { tools: { definitions } }: AiSdkRequest,
    options: StartOptions,
  ): Promise<RunHandle> {
    const parking = { ...options, frontend: 'park' } as const;
    if (turn.type === 'start') return this.services.agent.start(turn.input, parking);
    const { sessionId, runId, actions } = turn;
    return this.services.agent.resume(runId, actions, {
      ...parking,
      sessionId,
      frontendTools: definitions,
    });
  }

  private encoderOf(run: RunHandle, turn: Started, { tools }: AiSdkRequest): AiSdkEncoder {
    const { runId, sessionId, model } = run;
    const continued = turn.type === 'resume' ? turn : undefined;
    return new AiSdkEncoder({
      runId,
      sessionId,
      model,
      messageId: continued?.messageId ?? answerIdOf(runId),
      sendReasoning: this.services.options.sendReasoning,
      clientNameOf: tools.clientNameOf,
      sentCalls: run.before.calls,
      frontendCalls: continued?.frontendCalls ?? [],
    });
  }

  /** Tells a run from its first event on, without an effect on it. */
  private replay(
    exchange: Exchange,
    { sessionId, runId }: { readonly sessionId: string; readonly runId: string },
  ): Promise<void> {
    const tell = async (caller: StartOptions): Promise<void> => {
      const claim = { ...caller, sessionId };
      const { toolCalls } = await this.services.agent.run(runId, claim);
      const settled = toolCalls.flatMap(({ id, output }) => (output === undefined ? [] : [id]));
      const encoder = new AiSdkEncoder({
        runId,
        sessionId,
        messageId: answerIdOf(runId),
        sendReasoning: this.services.options.sendReasoning,
        replay: { settled },
      });
      const events = withoutAnswered(await this.services.agent.events(runId, claim));
      await this.services.responder.relay(exchange.response, { runId, events }, encoder);
    };
    // Only the reading ends with the client.
    return this.services.responder.whileConnected(exchange, tell, 'cancel');
  }
}
