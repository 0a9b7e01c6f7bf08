import { Module, ValidationPipe } from '@nestjs/common';
import { APP_PIPE } from '@nestjs/core';
import { AgentModule } from 'nestjs-agent';
import { McpClientModule, McpServerModule } from 'nestjs-agent/mcp';
import { agentOptions } from './agent/agent.options';
import { guideOptions } from './agent/guide.options';
import { operationsOptions } from './agent/operations.options';
import { foreignOptions } from './mcp/foreign.options';
import { servedOptions } from './mcp/served.options';
import { PagesModule } from './pages/pages.module';
import { PlatformModule } from './platform.module';

@Module({
  imports: [
    PlatformModule,
    PagesModule,
    AgentModule.forRoot({ ...agentOptions(), agents: ['guide', 'operations'] }),
    AgentModule.forFeature(guideOptions()),
    AgentModule.forFeature(operationsOptions()),
    McpServerModule.forRoot(servedOptions()),
    McpClientModule.forRoot(foreignOptions()),
  ],
  providers: [
    {
      provide: APP_PIPE,
      useValue: new ValidationPipe({
        whitelist: true,
        forbidNonWhitelisted: true,
        transform: true,
      }),
    },
  ],
})
export class AppModule {}
