// Runs a turn in which an agent asks another one, and kills itself (SIGKILL) at the given point.
// Without a point it completes and prints the points it passed.
import 'reflect-metadata';
import { sqlStore, type SqlStoreOptions } from 'nestjs-agent/sql';
import { askingApplication } from './asking-application';
import { OWNER } from './scripted-turn';

export interface AskedTurnOrder {
  readonly store: SqlStoreOptions;
  readonly sessionId: string;
  /** The file in which the tools record their effects. */
  readonly deeds: string;
  /** The point at which the process kills itself; none to complete the turn. */
  readonly point?: string;
}

async function main(): Promise<void> {
  const order = JSON.parse(process.argv[2] ?? '{}') as AskedTurnOrder;
  const passed: string[] = [];
  const { app, agent } = await askingApplication({
    store: sqlStore(order.store),
    deeds: order.deeds,
    sessionId: order.sessionId,
    reached: (point) => {
      passed.push(point);
      if (point === order.point) process.kill(process.pid, 'SIGKILL');
    },
  });
  const { sessionId } = order;
  const parked = await agent.chat({ message: 'Tidy my things up.', sessionId }, OWNER);
  if (parked.status !== 'requires_action') throw new Error(JSON.stringify(parked));
  passed.push('waiting for the approval');
  if (order.point === 'waiting for the approval') process.kill(process.pid, 'SIGKILL');
  const actions = parked.pendingActions.map(({ callId }) => ({ callId, type: 'approve' as const }));
  const done = await agent.resolve(parked.runId, actions, OWNER);
  if (done.status !== 'completed') throw new Error(JSON.stringify(done));
  process.stdout.write(JSON.stringify(passed));
  await app.close();
}

void main();
