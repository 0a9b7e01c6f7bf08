import { Module, UseGuards } from '@nestjs/common';
import { AgentModule } from 'nestjs-agent';
import { sqlStore } from 'nestjs-agent/sql';
import { HeaderGuard } from '../start/header.guard';

@Module({
  imports: [
    AgentModule.forRoot({
      decorators: [UseGuards(HeaderGuard)],
      // #region store
      sessions: { store: sqlStore({ dataDir: './data/sessions' }) },
      // #endregion store
    }),
  ],
})
export class EmbeddedModule {}
