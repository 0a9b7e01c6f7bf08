import { Module, UseGuards } from '@nestjs/common';
import { AgentModule, offline } from 'nestjs-agent';
import { HeaderGuard } from '../start/header.guard';

@Module({
  imports: [
    // #region page
    AgentModule.forRoot({
      model: offline(),
      decorators: [UseGuards(HeaderGuard)],
      workbench: 'development',
      ui: { headersKey: 'shop.headers' }, // the page brings the headers of the log-in
    }),
    // #endregion page
  ],
})
export class PageModule {}
