import { UseGuards } from '@nestjs/common';
import type { McpServerModuleOptions } from 'nestjs-agent/mcp';
import { AuthModule } from '../auth/auth.module';
import { JwtAuthGuard } from '../auth/jwt-auth.guard';

/** The same tools for MCP hosts, at `/mcp`, behind the same log-in. */
export function servedOptions(): McpServerModuleOptions {
  return {
    instructions: 'Tools of an internal developer platform, for the applications of the user.',
    imports: [AuthModule],
    decorators: [UseGuards(JwtAuthGuard)],
  };
}
