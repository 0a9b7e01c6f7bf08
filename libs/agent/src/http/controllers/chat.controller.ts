import { HttpCode, Injectable, Post, Req, Res } from '@nestjs/common';
import { AgentService, type ChatResult } from '../../run';
import { invalidRequest, readBody } from '../body/json-body';
import { CallerResolver } from '../caller/caller.resolver';
import { sessionIdOf } from '../caller/identifiers';
import { Documented } from '../documented.decorator';
import { ChatDto, chatInputOf } from '../dto/chat.dto';
import { ToolResultDto } from '../dto/tool-result.dto';
import { NeverCached } from '../never-cached.decorator';
import { RunResponder } from '../run.responder';

/** `POST /chat`, `/chat/stream` and `/chat/tool-result`. */
@NeverCached()
@Injectable()
export class ChatController {
  constructor(
    private readonly agent: AgentService,
    private readonly responder: RunResponder,
    private readonly callers: CallerResolver,
  ) {}

  @Post('chat')
  @HttpCode(200)
  @Documented({
    summary: 'Sends a message and answers with what became of it',
    body: () => ChatDto,
  })
  async chat(
    @Req() request: unknown,
    @Res({ passthrough: true }) response: unknown,
  ): Promise<ChatResult> {
    const input = chatInputOf(await readBody(ChatDto, request));
    return this.responder.answer({ request, response }, (options) =>
      this.agent.start(input, options),
    );
  }

  @Post('chat/stream')
  @HttpCode(200)
  @Documented({
    summary: 'Sends a message and streams what happens',
    body: () => ChatDto,
    produces: ['text/event-stream'],
  })
  async stream(@Req() request: unknown, @Res() response: unknown): Promise<void> {
    const input = chatInputOf(await readBody(ChatDto, request));
    await this.responder.stream({ request, response }, (options) =>
      this.agent.start(input, options),
    );
  }

  @Post('chat/tool-result')
  @HttpCode(200)
  @Documented({
    summary: 'Delivers the result of a tool that runs in the browser',
    body: () => ToolResultDto,
  })
  async deliver(@Req() request: unknown): Promise<{ success: boolean; message: string }> {
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
}
