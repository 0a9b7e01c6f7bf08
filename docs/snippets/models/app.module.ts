import { Injectable, Module, UseGuards } from '@nestjs/common';
import { AgentModule, openai, react, Tool, ToolParam } from 'nestjs-agent';
import { ollama } from 'nestjs-agent/models';
import { anthropic } from 'nestjs-agent/anthropic';
import { HeaderGuard } from '../start/header.guard';
import { AddressService } from './address.service';

@Injectable()
export class MathTools {
  @Tool({ description: 'Add two numbers', readOnly: true })
  add(@ToolParam('a') a: number, @ToolParam('b') b: number): number {
    return a + b;
  }
}

@Module({
  imports: [
    AgentModule.forRoot({
      decorators: [UseGuards(HeaderGuard)],
      // #region models
      model: openai({ model: 'gpt-4.1-mini' }),
      models: {
        careful: anthropic({ model: 'claude-sonnet-5-5', thinking: 'adaptive' }),
        local: react(ollama({ model: 'phi4' })),
      },
      // #endregion models
    }),
  ],
  providers: [MathTools, AddressService],
})
export class AppModule {}
