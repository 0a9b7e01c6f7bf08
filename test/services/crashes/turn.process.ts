// Runs one turn and kills itself (SIGKILL) at the given point. Without a point it completes and
// prints the points it passed.
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AgentModule, AgentService, ToolRegistry } from 'nestjs-agent';
import { sqlStore, type SqlStoreOptions } from 'nestjs-agent/sql';
import {
  announcingStore,
  COMPACTION,
  OWNER,
  QUESTION,
  registerTools,
  SLOW_QUESTION,
  TurnModel,
} from './scripted-turn';

export interface TurnOrder {
  readonly store: SqlStoreOptions;
  readonly sessionId: string;
  /** The file in which the tools record their effects. */
  readonly deeds: string;
  /** The point at which the process kills itself; none to complete the turn. */
  readonly point?: string;
  readonly isCompacting: boolean;
  readonly isSlow?: boolean;
}

const LEASE_MS = 15_000;

async function main(): Promise<void> {
  const order = JSON.parse(process.argv[2] ?? '{}') as TurnOrder;
  const passed: string[] = [];
  const counts = new Map<string, number>();
  let isArmed = false;
  const reached = (point: string): void => {
    if (!isArmed) return;
    const count = (counts.get(point) ?? 0) + 1;
    counts.set(point, count);
    const name = count === 1 ? point : `${point} (${count})`;
    passed.push(name);
    if (name === order.point) process.kill(process.pid, 'SIGKILL');
  };

  @Module({
    imports: [
      AgentModule.forRoot({
        path: false,
        model: new TurnModel(reached),
        permissions: { remove: 'ask' },
        // Killed runs count against the limit until their leases expire.
        limits: { runsPerPrincipal: 1_000 },
        sessions: {
          store: announcingStore(sqlStore(order.store), reached),
          leaseMs: LEASE_MS,
          expireAfterMs: false,
          compaction: order.isCompacting ? COMPACTION : false,
        },
        audit: { record: () => undefined },
      }),
    ],
  })
  class AppModule {}

  const app = await NestFactory.createApplicationContext(AppModule, { logger: false });
  const { sessionId } = order;
  registerTools(app.get(ToolRegistry), order.deeds, sessionId, reached);
  const agent = app.get(AgentService);
  isArmed = true;
  const message = order.isSlow ? SLOW_QUESTION : QUESTION;
  const parked = await agent.chat({ message, sessionId }, OWNER);
  reached('waiting for the approval');
  if (parked.error) throw new Error(parked.error.message);
  const actions = parked.pendingActions.map(({ callId }) => ({ callId, type: 'approve' as const }));
  const done = await agent.resolve(parked.runId, actions, OWNER);
  if (done.status !== 'completed')
    throw new Error(`The turn ended ${done.status}: ${done.error?.message ?? ''}`);
  process.stdout.write(JSON.stringify(passed));
  await app.close();
}

void main();
