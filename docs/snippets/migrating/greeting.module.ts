import { Module, UseGuards } from '@nestjs/common';
import { AgentModule } from 'nestjs-agent';
import { McpServerModule } from 'nestjs-agent/mcp';
import { HeaderGuard } from '../start/header.guard';
import { GreetingTools } from './greeting.tools';

// #region module
@Module({
  imports: [
    AgentModule.forRoot({ path: false }),
    McpServerModule.forRoot({
      name: 'my-mcp-server',
      version: '1.0.0',
      decorators: [UseGuards(HeaderGuard)],
    }),
  ],
  providers: [GreetingTools],
})
export class GreetingModule {}
// #endregion module
