import { Module } from '@nestjs/common';
import { AgentModule } from 'nestjs-agent';
import { redisBus } from 'nestjs-agent/redis';
import { sqlStore } from 'nestjs-agent/sql';

@Module({
  imports: [
    // #region levels
    AgentModule.forRootAsync({
      useFactory: () => ({
        // Level 1: any process answers any request.
        // #region store
        sessions: { store: sqlStore({ connectionString: process.env.DATABASE_URL ?? '' }) },
        // #endregion store
        // Level 2: at once.
        bus: redisBus({ url: process.env.REDIS_URL ?? 'redis://127.0.0.1:6379', prefix: 'shop' }),
      }),
    }),
    // #endregion levels
  ],
})
export class AppModule {}
