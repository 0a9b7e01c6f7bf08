import { Inject, Injectable } from '@nestjs/common';
import { defined, settledWithin } from '../../internal';
import { SESSION_STORE, type SessionStore } from '../../session';
import { AgentError } from '../../tool';
import type { RunBus } from '../bus';
import type { RunQueue } from '../queue';
import { RUN_BUS, RUN_QUEUE } from '../request';

/** Whether a dependency answers. */
export type HealthStatus = 'up' | 'down';

/** The health of one dependency of the agent. */
export interface AgentPartHealth {
  /** Whether it answers, within a second. */
  readonly status: HealthStatus;
  /** Why it is `down`. No password, user or value; it may name a host and its port. */
  readonly message?: string;
}

/** The health of the agent's dependencies. */
export interface AgentHealthState {
  /** `down` if any part is down. */
  readonly status: HealthStatus;
  /** The session store. */
  readonly store: AgentPartHealth;
  /** The bus between processes; missing where none is configured. */
  readonly bus?: AgentPartHealth;
  /** The queue of runs; missing where none is configured. */
  readonly queue?: AgentPartHealth;
  /** Models are never called: a call costs tokens, and an outage is no reason to restart. */
  readonly model: {
    /** Always the same. */
    readonly status: 'not asked';
  };
}

/** Milliseconds to wait for an answer. */
const WITHIN_MS = 900;

/** No session and no run has this id. */
const NOBODY = 'health-check';

const UP: AgentPartHealth = { status: 'up' };

/**
 * Checks the agent's dependencies, for a health endpoint of your own. With `@nestjs/terminus`, pass
 * the result to its `HealthIndicatorService`.
 *
 * @example
 * \@Injectable()
 * export class AgentIndicator {
 *   constructor(
 *     private readonly health: AgentHealth,
 *     private readonly indicators: HealthIndicatorService, // of \@nestjs/terminus
 *   ) {}
 *
 *   // health.check([() => indicator.check()]) of Terminus
 *   async check() {
 *     const { status, ...parts } = await this.health.check();
 *     const agent = this.indicators.check('agent');
 *     return status === 'up' ? agent.up(parts) : agent.down(parts);
 *   }
 * }
 *
 * declare class HealthIndicatorService {
 *   check(key: string): { up(parts: object): object; down(parts: object): object };
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
   * Releases a session that does not exist, and asks the bus and the queue whether they take events
   * and jobs. These are writes without effect: a database or a Redis that accepts none is `down`.
   *
   * @returns within one second; never rejects
   */
  async check(): Promise<AgentHealthState> {
    const [store, bus, queue] = await Promise.all([
      healthOf(() => this.store.release({ sessionId: NOBODY, token: 0 })),
      this.bus ? healthOf(() => this.askBus()) : undefined,
      this.queue ? healthOf(() => this.queue?.check?.()) : undefined,
    ]);
    const isDown = [store, bus, queue].some((part) => part?.status === 'down');
    return {
      status: isDown ? 'down' : 'up',
      store,
      ...defined({ bus, queue }),
      model: { status: 'not asked' },
    };
  }

  private askBus(): Promise<unknown> | undefined {
    return this.bus?.check ? this.bus.check() : this.bus?.signal(NOBODY, { type: 'stop' });
  }
}

async function healthOf(ask: () => Promise<unknown> | undefined): Promise<AgentPartHealth> {
  try {
    const isAnswered = await settledWithin(Promise.resolve().then(ask), WITHIN_MS);
    return isAnswered ? UP : down(`No answer within ${WITHIN_MS} ms.`);
  } catch (error) {
    // The text of a driver may hold addresses with passwords.
    return down(error instanceof AgentError ? error.message : 'It failed.');
  }
}

function down(message: string): AgentPartHealth {
  return { status: 'down', message };
}
