import { Module, UseGuards } from '@nestjs/common';
import { AgentModule } from 'nestjs-agent';
import { HeaderGuard } from '../start/header.guard';
import { AppsController } from './apps.controller';
import { Assistant, Deployments } from './assistant';
import { LogTools } from './logs.tools';

@Module({
  imports: [
    AgentModule.forRoot({
      decorators: [UseGuards(HeaderGuard)],
      // #region permissions
      permissions: {
        'drop_*': 'deny', // any name with this prefix: offered to no caller
        deploy_app: ({ input }) => (input['name'] === 'shop' ? 'ask' : 'allow'),
      },
      // #endregion permissions
    }),
  ],
  controllers: [AppsController],
  providers: [LogTools, Assistant, Deployments],
})
export class AppModule {}
