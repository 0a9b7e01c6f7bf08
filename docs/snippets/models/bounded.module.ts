import { Module } from '@nestjs/common';
import { AgentModule, openai } from 'nestjs-agent';
import { MathTools } from './app.module';

@Module({
  imports: [
    AgentModule.forRoot({
      model: openai({ model: 'gpt-4.1-mini' }),
      // #region bounds
      maxSteps: 8,
      maxTokens: 2_000,
      budget: {
        totalTokens: 50_000,
        toolCalls: 20,
        durationMs: 120_000,
        cost: {
          max: 0.05,
          prices: { 'gpt-4.1-mini': { input: 0.4, output: 1.6, cachedInput: 0.1 } },
        },
      },
      // #endregion bounds
    }),
  ],
  providers: [MathTools],
})
export class BoundedModule {}
