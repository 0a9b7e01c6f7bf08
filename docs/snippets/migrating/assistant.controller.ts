import { Body, Controller, HttpCode, HttpException, Post, Req, UseGuards } from '@nestjs/common';
import { AgentService, type ChatInput } from 'nestjs-agent';
import { HeaderGuard, type RequestOfUser } from '../start/header.guard';

@Controller('assistant')
@UseGuards(HeaderGuard)
export class AssistantController {
  constructor(private readonly agent: AgentService) {}

  @Post()
  @HttpCode(200)
  async ask(@Body() { message = '', sessionId }: ChatInput, @Req() request: RequestOfUser) {
    const input = { message, ...(sessionId && { sessionId }) };
    const result = await this.agent.chat(input, { principal: request.user.id, request });
    if (result.error) throw new HttpException(result.error.message, result.error.httpStatus);
    const { runId, pendingActions } = result;
    return { answer: result.message, sessionId: result.sessionId, runId, pendingActions };
  }
}
