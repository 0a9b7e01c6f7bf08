import { UseGuards } from '@nestjs/common';
import type { AgentModuleFeatureOptions } from 'nestjs-agent/types';
import { AuthModule } from '../auth/auth.module';
import { JwtAuthGuard } from '../auth/jwt-auth.guard';

const SYSTEM_PROMPT = `You explain what runs on an internal developer platform.
Answer from what the tools say, briefly, and never make up applications, workflows or numbers.`;

/** An agent for all logged-in users. It only reads. */
export function guideOptions(): AgentModuleFeatureOptions {
  return {
    name: 'guide',
    description: 'Answers questions about applications, workflows and resources. It only reads.',
    systemPrompt: SYSTEM_PROMPT,
    imports: [AuthModule],
    decorators: [UseGuards(JwtAuthGuard)],
    tools: { include: ['list_*', 'get_*', 'check_health', 'who_is_on_call'] },
  };
}
