import { Inject, Injectable } from '@nestjs/common';
import { settledWithin } from '../../internal';
import { SESSION_STORE, type SessionStore } from '../../session';
import type { RunBus } from '../bus';
import type { RunQueue } from '../queue';
import { RUN_BUS, RUN_QUEUE } from '../request';

/** Whether something answers. */
export type HealthStatus = 'up' | 'down';

/** What an agent depends on, and whether it answers. */
export interface AgentHealthState {
  /** `down` if one of the others is. */
  readonly status: HealthStatus;
  /** The session store. */
  readonly store: HealthStatus;
  /** The bus between processes; missing where none is configured. */
  readonly bus?: HealthStatus;
  /** The queue of runs; missing where none is configured. */
  readonly queue?: HealthStatus;
  /** A model is never asked: that costs tokens, and its outage is no reason to restart. */
  readonly model: 'not asked';
}

/** Milliseconds for an answer. */
const WITHIN_MS = 900;

/** No session and no run has this name. */
const NOBODY = 'health-check';

/**
 * Asks what the agent depends on, for a health endpoint of your own. The result is what indicators
 * of `@nestjs/terminus` return under their key.
 *
 * @example
 * \@Injectable()
 * export class AgentIndicator {
 *   constructor(private readonly health: AgentHealth) {}
 *
 *   // health.check([() => indicator.check()]) of Terminus
 *   async check(): Promise<Record<string, AgentHealthState>> {
 *     return { agent: await this.health.check() };
 *   }
 * }
 */
@Injectable()
export class AgentHealth {
  /** @internal */
  constructor(
    @Inject(SESSION_STORE) private readonly store: SessionStore,
    @Inject(RUN_BUS) private readonly bus: RunBus | null,
    @Inject(RUN_QUEUE) private readonly queue: RunQueue | null = null,
  ) {}

  /**
   * Looks up a session that does not exist, signals a run that does not exist, and counts waiting runs.
   *
   * @returns within one second; never rejects
   */
  async check(): Promise<AgentHealthState> {
    const { bus, queue } = this;
    const [store, busState, queueState] = await Promise.all([
      answers(() => this.store.find(NOBODY)),
      bus && answers(() => bus.signal(NOBODY, { type: 'stop' })),
      queue && answers(() => queue.size()),
    ]);
    const isDown = [store, busState, queueState].includes('down');
    return {
      status: isDown ? 'down' : 'up',
      store,
      ...(busState && { bus: busState }),
      ...(queueState && { queue: queueState }),
      model: 'not asked',
    };
  }
}

/** Whether the question is answered in time, and without an error. */
async function answers(ask: () => Promise<unknown>): Promise<HealthStatus> {
  try {
    return (await settledWithin(Promise.resolve().then(ask), WITHIN_MS)) ? 'up' : 'down';
  } catch {
    return 'down';
  }
}
