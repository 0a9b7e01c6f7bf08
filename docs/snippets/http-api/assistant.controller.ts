import { Body, Controller, Post, UseFilters, UseGuards } from '@nestjs/common';
import { AgentErrorFilter, AgentService } from 'nestjs-agent';
import { HeaderGuard } from '../start/header.guard';

// #region controller
@Controller('assistant')
@UseGuards(HeaderGuard)
@UseFilters(AgentErrorFilter)
export class AssistantController {
  constructor(private readonly agent: AgentService) {}

  @Post()
  async ask(@Body('question') message: string): Promise<{ answer: string }> {
    const result = await this.agent.chat({ message }, { principal: 'assistant' });
    if (result.error) return { answer: `Sorry: ${result.error.message}` }; // it ran, and failed
    return { answer: result.message };
  }
}
// #endregion controller
