import { Module, ValidationPipe } from '@nestjs/common';
import { APP_PIPE } from '@nestjs/core';
import { AgentModule } from 'nestjs-agent';
import { agentOptions } from './agent/agent.options';
import { PagesModule } from './pages/pages.module';
import { PlatformModule } from './platform.module';

@Module({
  imports: [PlatformModule, PagesModule, AgentModule.forRoot(agentOptions())],
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
