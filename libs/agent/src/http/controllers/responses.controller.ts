import { Delete, Get, Injectable, Post } from '@nestjs/common';
import { defined } from '../../internal';
import { type ChatAction, type RunHandle, type SessionClaim, type StartOptions } from '../../run';
import { DeletedResponseDto, RESPONSE_EVENTS, ResponseDto, ResponseRequestDto } from '../answers';
import { checkRest, readJsonBody } from '../body';
import type { Exchange } from '../endpoint';
import {
  answerOpenAi,
  type OpenAiAnswer,
  OpenAiEndpoint,
  OpenAiRequestError,
  secondsNow,
  unsupported,
} from '../openai';
import {
  callsIn,
  type EarlierCalls,
  blocksOfTask,
  NO_EARLIER_CALLS,
  responseIdOf,
  type ResponseRequest,
  responseRequestOf,
  ResponsesEncoder,
  type StoredResponse,
} from '../responses';
import { queryOf } from '../wire';
import { EndpointServices } from './endpoint-services';

/** OpenAI's Responses protocol, its errors included. */
@Injectable()
export class ResponsesController {
  constructor(private readonly services: EndpointServices) {}

  @Post('v1/responses')
  @OpenAiEndpoint({
    summary: "OpenAI's Responses, answered by the agent",
    body: ResponseRequestDto,
    answer: ResponseDto,
    stream: RESPONSE_EVENTS,
  })
  async create(exchange: Exchange): Promise<object | undefined> {
    const { limits, name: agentName } = this.services.options;
    const request = responseRequestOf(readJsonBody(exchange.request), { limits, agentName });
    checkRest(exchange.request, blocksOfTask(request.task), limits.uiBodyBytes);
    const model = this.services.openAiModels.choose(request.model);
    // The rest of a stateless answer cannot be requested later.
    const onDisconnect =
      request.task.type === 'complete' ? 'cancel' : this.services.options.onDisconnect;
    return answerOpenAi(
      this.services.responder,
      exchange,
      (options) => this.begin(request, model, options),
      { isStream: request.isStream, onDisconnect },
    );
  }

  @Get('v1/responses/:id')
  @OpenAiEndpoint({
    summary: 'A response of a stored conversation',
    params: { id: 'The response' },
    answer: ResponseDto,
  })
  async retrieve(exchange: Exchange): Promise<object> {
    checkWhole(exchange.request);
    return this.services.responses.show(await this.find(exchange));
  }

  @Delete('v1/responses/:id')
  @OpenAiEndpoint({
    summary: "Removes a conversation's last response, with its question",
    params: { id: 'The response' },
    answer: DeletedResponseDto,
  })
  async remove(exchange: Exchange): Promise<object> {
    const stored = await this.find(exchange);
    const claim = this.services.callers.claim(exchange.request);
    if (!stored.isLast) throw notLast();
    const { sessionId, runId } = stored.run;
    await this.services.sessions.rewind(sessionId, { beforeRun: runId }, claim);
    return { id: responseIdOf(stored.pointer), object: 'response', deleted: true };
  }

  @Post('v1/responses/:id/cancel')
  @OpenAiEndpoint({
    summary: 'Cancels the run of a response',
    params: { id: 'The response' },
    answer: ResponseDto,
  })
  async cancel(exchange: Exchange): Promise<object> {
    const stored = await this.find(exchange);
    if (!stored.isLast) throw notLast();
    await this.services.agent.cancel(
      stored.run.runId,
      this.services.callers.claim(exchange.request),
    );
    return this.services.responses.show(await this.find(exchange));
  }

  /** Starts or continues a run, by the request's task. */
  private async begin(
    asked: ResponseRequest,
    model: string | undefined,
    options: StartOptions,
  ): Promise<OpenAiAnswer> {
    const { task, pointer, tools, toolChoice } = asked;
    const { agent, callers, conversations } = this.services;
    const claim = {
      ...callers.claim(options.request),
      ...defined({ sessionId: pointer.conversation }),
    };
    const chosen = defined({ model, toolChoice });
    switch (task.type) {
      case 'complete': {
        const { messages, settings, maxTokens } = task;
        const input = { messages, settings, clientTools: tools.definitions, ...chosen };
        const run = await agent.complete({ ...input, ...defined({ maxTokens }) }, options);
        return this.answering(asked, run);
      }
      case 'start': {
        const sessionId = await conversations.sessionOf(pointer, claim);
        const { content, environmentContext } = task;
        const facts = environmentContext.length > 0 && { environmentContext };
        const input = { content, frontendTools: tools.definitions, ...facts, ...chosen };
        const run = await agent.start({ ...input, ...defined({ sessionId }) }, options);
        return this.answering(asked, run);
      }
      case 'resume':
        return this.resuming(asked, task.actions, { ...options, ...claim });
    }
  }

  private async resuming(
    asked: ResponseRequest,
    actions: readonly ChatAction[],
    caller: StartOptions & SessionClaim,
  ): Promise<OpenAiAnswer> {
    const { pointer, tools } = asked;
    const waiting = await this.services.conversations.runOf(pointer, caller);
    const { runId, sessionId } = waiting;
    const calls = callsIn(await this.services.responses.parts(waiting, caller));
    const frontendTools = tools.definitions;
    const run = await this.services.agent.resume(runId, actions, {
      ...caller,
      sessionId,
      frontendTools,
    });
    return this.answering(asked, run, calls);
  }

  private answering(
    { model, repeated, task, tools }: ResponseRequest,
    run: RunHandle,
    calls: EarlierCalls = NO_EARLIER_CALLS,
  ): OpenAiAnswer {
    const { runId, sessionId, before } = run;
    const encoder = new ResponsesEncoder({
      ...this.services.responses.outputOptions(calls),
      isJson: task.type === 'complete' && task.settings.responseFormat !== undefined,
      clientNameOf: tools.clientNameOf,
      before: before.usage,
      head: {
        id: responseIdOf({ runId, after: before.lastSeq }),
        createdAt: secondsNow(),
        model,
        ...(sessionId !== '' && { sessionId }),
        repeated,
      },
    });
    return { run, encoder };
  }

  private find({ request, params: { id = '' } }: Exchange): Promise<StoredResponse> {
    return this.services.responses.find(id, this.services.callers.claim(request), 'response_id');
  }
}

/** @throws OpenAiRequestError if a stream of a stored response is asked for */
function checkWhole(request: unknown): void {
  if (queryOf(request).get('stream') !== 'true') return;
  throw unsupported('parameter', 'stream', 'is not supported for stored responses');
}

function notLast(): OpenAiRequestError {
  return new OpenAiRequestError(
    'The conversation has continued since this response.',
    'response_id',
    'not_last_response',
  );
}
