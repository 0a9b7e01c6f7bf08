import { Module, UseGuards } from '@nestjs/common';
import { AgentModule } from 'nestjs-agent';
import { LoginGuard } from './login.guard';

@Module({
  imports: [
    // #region hidden
    AgentModule.forRoot({
      decorators: [UseGuards(LoginGuard)],
      publicDecorators: [UseGuards(LoginGuard)], // the page, the widget and /health
    }),
    // #endregion hidden
  ],
})
export class HiddenModule {}
