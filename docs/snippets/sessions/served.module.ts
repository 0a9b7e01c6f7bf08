import { Module, UseGuards } from '@nestjs/common';
import { AgentModule } from 'nestjs-agent';
import { sqlStore } from 'nestjs-agent/sql';
import type { Pool } from 'pg';
import { HeaderGuard } from '../start/header.guard';
import { DATABASE, DatabaseModule } from './database.module';
import { AccountService } from './account.service';

@Module({
  imports: [
    // #region store
    AgentModule.forRootAsync({
      imports: [DatabaseModule],
      inject: [DATABASE],
      useFactory: (pool: Pool) => ({
        sessions: { store: sqlStore({ client: pool, schema: 'agent' }) },
      }),
      decorators: [UseGuards(HeaderGuard)],
    }),
    // #endregion store
  ],
  providers: [AccountService],
})
export class ServedModule {}
