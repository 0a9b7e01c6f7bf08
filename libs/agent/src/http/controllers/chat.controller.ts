import { Inject, Injectable, Post } from '@nestjs/common';
import { AgentService, type ChatInput, type ChatResult, OWN_AGENT } from '../../run';
import { ChatResultDto, DeliveryDto, Documented, EVENTS } from '../answers';
import { checkRest, invalidRequest, readBody } from '../body';
import { CallerResolver, sessionIdOf } from '../caller';
import { ChatDto, chatInputOf, ToolResultDto } from '../dto';
import { Endpoint, type Exchange } from '../endpoint';
import { type AgentHttpOptions, HTTP_OPTIONS } from '../options';
import { RunResponder } from '../sse';

/** `POST /chat`, `/chat/stream` and `/chat/tool-result`. */
@Injectable()
export class ChatController {
  constructor(
    @Inject(OWN_AGENT) private readonly agent: AgentService,
    private readonly responder: RunResponder,
    private readonly callers: CallerResolver,
    @Inject(HTTP_OPTIONS) private readonly options: AgentHttpOptions,
  ) {}

  @Post('chat')
  @Documented({
    summary: 'Sends a message and answers with what became of it',
    body: ChatDto,
    answer: ChatResultDto,
  })
  @Endpoint()
  async chat(exchange: Exchange): Promise<ChatResult> {
    const input = await this.inputOf(exchange);
    return this.responder.answer(exchange, (options) => this.agent.start(input, options));
  }

  @Post('chat/stream')
  @Documented({
    summary: 'Sends a message and streams what happens',
    body: ChatDto,
    stream: EVENTS,
  })
  @Endpoint()
  async stream(exchange: Exchange): Promise<void> {
    const input = await this.inputOf(exchange);
    await this.responder.stream(exchange, (options) =>
      this.agent.start(input, { ...options, frontend: 'wait' }),
    );
  }

  @Post('chat/tool-result')
  @Documented({
    summary: 'Delivers the result of a tool that runs in the browser',
    body: ToolResultDto,
    answer: DeliveryDto,
  })
  @Endpoint()
  async deliver({ request }: Exchange): Promise<DeliveryDto> {
    const { sessionId, callId, result, error } = await readBody(ToolResultDto, request);
    if (typeof error === 'string' && (result ?? null) !== null) {
      throw invalidRequest(['Send a result or an error, not both.']);
    }
    const { principal } = this.callers.resolve(request);
    const success = await this.agent.deliver({
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
    checkRest(request, body.content ?? [], this.options.limits.bodyBytes);
    return chatInputOf(body);
  }
}
