import { Injectable, Post } from '@nestjs/common';
import { type ChatInput, type ChatResult } from '../../run';
import { ChatResultDto, DeliveryDto, DocumentedEndpoint, EVENTS } from '../answers';
import { checkRest, invalidRequest, readBody } from '../body';
import { sessionIdOf } from '../caller';
import { ChatDto, chatInputOf, ToolResultDto } from '../dto';
import { type Exchange } from '../endpoint';
import { EndpointServices } from './endpoint-services';

/** `POST /chat`, `/chat/stream` and `/chat/tool-result`. */
@Injectable()
export class ChatController {
  constructor(private readonly services: EndpointServices) {}

  @Post('chat')
  @DocumentedEndpoint({
    summary: 'Sends a message and answers with the result',
    body: ChatDto,
    answer: ChatResultDto,
  })
  async chat(exchange: Exchange): Promise<ChatResult> {
    const input = await this.inputOf(exchange);
    return this.services.responder.answer(exchange, (options) =>
      this.services.agent.start(input, options),
    );
  }

  @Post('chat/stream')
  @DocumentedEndpoint({
    summary: 'Sends a message and streams the events',
    body: ChatDto,
    stream: EVENTS,
  })
  async stream(exchange: Exchange): Promise<void> {
    const input = await this.inputOf(exchange);
    await this.services.responder.stream(exchange, (options) =>
      this.services.agent.start(input, { ...options, frontend: 'wait' }),
    );
  }

  @Post('chat/tool-result')
  @DocumentedEndpoint({
    summary: 'Delivers the result of a tool that runs in the browser',
    body: ToolResultDto,
    answer: DeliveryDto,
  })
  async deliver({
    request,
  }: Exchange): Promise<{ readonly success: boolean; readonly message: string }> {
    const { sessionId, callId, result, error } = await readBody(ToolResultDto, request);
    if (typeof error === 'string' && (result ?? null) !== null) {
      throw invalidRequest(['Send a result or an error, not both.']);
    }
    const { principal } = this.services.callers.resolve(request);
    const success = await this.services.agent.deliver({
      sessionId: sessionIdOf(sessionId),
      callId,
      ...(principal !== undefined && { principal }),
      ...(typeof error === 'string' ? { error } : result !== undefined && { result }),
    });
    return {
      success,
      message: success ? 'The result was delivered.' : 'This call waits for no result.',
    };
  }

  private async inputOf({ request }: Exchange): Promise<ChatInput> {
    const body = await readBody(ChatDto, request);
    checkRest(request, body.content ?? [], this.services.options.limits.bodyBytes);
    return chatInputOf(body);
  }
}
