import { UseGuards } from '@nestjs/common';
import type { AgentModuleFeatureOptions } from 'nestjs-agent/types';
import { AuthModule } from '../auth/auth.module';
import { JwtAuthGuard } from '../auth/jwt-auth.guard';
import { Roles } from '../auth/roles.decorator';
import { RolesGuard } from '../auth/roles.guard';

const SYSTEM_PROMPT = `You deploy and roll back applications of an internal developer platform.
Look at an application before you change it, and say afterwards which version runs.`;

/** An agent for admins, and for agents that admins talk to. It deploys. */
export function operationsOptions(): AgentModuleFeatureOptions {
  return {
    name: 'operations',
    description: 'Deploys applications and rolls them back, for admins.',
    systemPrompt: SYSTEM_PROMPT,
    imports: [AuthModule],
    decorators: [UseGuards(JwtAuthGuard, RolesGuard), Roles(['admin'])],
    tools: {
      include: ['get_application', 'check_health', 'deploy_application', 'rollback_application'],
    },
  };
}
