import { Module, UseGuards } from '@nestjs/common';
import { AgentModule } from 'nestjs-agent';
import { HeaderGuard } from '../start/header.guard';
import { AppsController } from './apps.controller';

@Module({
  imports: [
    // #region guarded
    AgentModule.forRoot({
      decorators: [UseGuards(HeaderGuard)],
      tools: { offer: 'guarded' }, // ask the guards of all tools before they are offered
      visible: ({ group }, { principal }) => group !== 'payroll' || principal === 'grace',
    }),
    // #endregion guarded
  ],
  controllers: [AppsController],
})
export class GuardedModule {}
