// An application with an agent, in its own process. Its model follows the message:
// "<tag>: <order>; <order>; …", a step each, and then ends. It prints its address when it is up, and
// afterwards one line for each effect.
import 'reflect-metadata';
import { writeSync } from 'node:fs';
import { ConsoleLogger, Module, UseGuards } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AgentModule, type RunQueue } from 'nestjs-agent';
import type { RunCredentials } from 'nestjs-agent/types';
import { bullmqRuns } from 'nestjs-agent/bullmq';
import { redisBus } from 'nestjs-agent/redis';
import { sqlStore } from 'nestjs-agent/sql';
import { CANARY } from './canary';
import { ControlController, DeedsController, OwnCallsController } from './controllers';
import { dyingStore } from './dying-store';
import { Locks, PRESET_KEY } from './locks';
import { type LoggedIn, LoginGuard } from './login.guard';
import { ObedientModel } from './obedient.model';
import { settings } from './settings';

/** A server takes 100 by default, of all processes of all tests. */
const MAX_CONNECTIONS = 4;

if (settings.aheadMs > 0) {
  const { now } = Date;
  Date.now = () => now() + settings.aheadMs;
}

/** The users `as-<user>` get the credential of that user. */
const credentials: RunCredentials = {
  delegate: (request) => `${CANARY}-claim:${(request as LoggedIn).user?.id}`,
  redeem: (claim) => ({
    headers: {
      authorization: `Bearer ${CANARY}-minted:${claim.split(':')[1]?.replace(/^as-/, '')}`,
    },
    expiresAt: new Date(Date.now() + 600_000),
  }),
  secrets: [`${CANARY}-secret-of-at-least-32-characters`],
};

function queueIn(server: 'redis' | 'postgres'): RunQueue {
  const { role, concurrency, databaseUrl, schema, redisPort: port } = settings;
  const options = { role, concurrency, maxAttempts: 20, credentials };
  if (server === 'redis') return bullmqRuns({ ...options, connection: { port } });
  const connection = {
    connectionString: databaseUrl,
    schema: `${schema}_jobs`,
    max: MAX_CONNECTIONS,
  };
  return bullmqRuns({ ...options, backend: 'postgres', connection });
}

@Module({
  imports: [
    AgentModule.forRoot({
      model: new ObedientModel(),
      decorators: [UseGuards(LoginGuard)],
      agents: ['clerk'],
      ...(settings.redisPort !== undefined && {
        bus: redisBus({ url: `redis://127.0.0.1:${settings.redisPort}` }),
      }),
      ...(settings.queue && { runs: queueIn(settings.queue) }),
      permissions: { write: 'allow', put: 'allow' },
      presets: { unlock: { key: PRESET_KEY } },
      forwardHeaders: ['x-api-key'],
      onDisconnect: settings.onDisconnect,
      shutdown: { drainMs: settings.drainMs },
      limits: { runsPerPrincipal: settings.runsPerPrincipal, queueTimeoutMs: 600_000 },
      sessions: {
        store: dyingStore(
          sqlStore({
            connectionString: settings.databaseUrl,
            schema: settings.schema,
            maxConnections: MAX_CONNECTIONS,
          }),
          settings,
        ),
        leaseMs: settings.leaseMs,
        compaction: false,
      },
      audit: {
        sink: { record: (record) => void writeSync(1, `audit ${JSON.stringify(record)}\n`) },
        values: true,
      },
    }),
    AgentModule.forFeature({ name: 'clerk', path: false, agents: ['archive'] }),
    AgentModule.forFeature({ name: 'archive', path: false }),
  ],
  controllers: [ControlController, DeedsController, OwnCallsController],
  providers: [Locks],
})
class AppModule {}

async function main(): Promise<void> {
  const app = await NestFactory.create(AppModule, { logger: new ConsoleLogger({ colors: false }) });
  app.enableShutdownHooks([], { useProcessExit: true });
  await app.listen(0, '127.0.0.1');
  process.stdout.write(`${await app.getUrl()}\n`);
}

void main();
