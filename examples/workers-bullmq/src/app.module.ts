import { type DynamicModule, Module } from '@nestjs/common';
import { AgentModule } from 'nestjs-agent';
import { bullmqRuns } from 'nestjs-agent/bullmq';
import { redisBus } from 'nestjs-agent/redis';
import { sqlStore } from 'nestjs-agent/sql';
import { ReportsTools } from './reports.tools';

const POSTGRES = process.env.DATABASE_URL ?? 'postgres://postgres:postgres@127.0.0.1:5432/postgres';
const REDIS = process.env.REDIS_URL ?? 'redis://127.0.0.1:6379';
const PREFIX = process.env.QUEUE_PREFIX ?? 'example'; // one per application on a server

@Module({})
export class AppModule {
  /** All processes have the same store, bus, queue and tools. */
  static as(role: 'web' | 'worker'): DynamicModule {
    return {
      module: AppModule,
      imports: [
        AgentModule.forRoot({
          systemPrompt: 'You make reports.',
          sessions: { store: sqlStore({ connectionString: POSTGRES }) }, // decides
          bus: redisBus({ url: REDIS, prefix: PREFIX }), // events of the worker, at once
          runs: bullmqRuns({
            connection: { url: REDIS },
            prefix: PREFIX,
            role,
            credentials: 'none', // no tool here needs a login
          }),
        }),
      ],
      providers: [ReportsTools],
    };
  }
}
