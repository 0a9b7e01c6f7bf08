import { Test, type TestingModule } from '@nestjs/testing';
import {
  AgentHealth,
  AgentModule,
  AgentService,
  memoryStore,
  type AgentEvent,
  type SessionStore,
} from 'nestjs-agent';
import { redisBus } from 'nestjs-agent/redis';
import { Barrier, ScriptedModel } from 'nestjs-agent/testing';

const END = { type: 'finish', reason: 'end_turn' } as const;
export const alice = { principal: 'alice' };

/** One of several processes over one store, as an application of this process. */
export class Member {
  private constructor(
    private readonly module: TestingModule,
    private readonly model: ScriptedModel,
  ) {}

  static async start(options: {
    readonly url: string;
    readonly prefix: string;
    readonly store: SessionStore;
    readonly flushMs?: number;
  }): Promise<Member> {
    const { store, ...bus } = options;
    const model = new ScriptedModel([]);
    const sessions = { store, leaseMs: 6_000 };
    const module = await Test.createTestingModule({
      imports: [
        AgentModule.forRoot({
          path: false,
          model,
          bus: redisBus(bus),
          sessions,
          limits: { runsPerPrincipal: 1_000 },
        }),
      ],
    }).compile();
    module.useLogger(false);
    return new Member(await module.init(), model);
  }

  /** Two of them. */
  static async pair(
    url: string,
    prefix: string,
    more: { readonly flushMs?: number } = {},
  ): Promise<readonly [Member, Member]> {
    const options = { url, prefix, store: memoryStore(), ...more };
    return Promise.all([Member.start(options), Member.start(options)]);
  }

  get agent(): AgentService {
    return this.module.get(AgentService);
  }

  get health(): AgentHealth {
    return this.module.get(AgentHealth);
  }

  /** A run that streams the first chunk, waits, and streams the others. */
  async waiting(first: string, ...others: readonly string[]) {
    const barrier = new Barrier();
    this.model.push([
      { type: 'text.delta', delta: first },
      barrier,
      ...others.map((delta) => ({ type: 'text.delta', delta }) as const),
      END,
    ]);
    const run = await this.agent.start({ message: 'hi' }, alice);
    await barrier.reached;
    const { runId, finished } = run;
    return { runId, finished, goOn: () => barrier.open() };
  }

  /** Begins to read; the result has all events once the run is over. */
  async reading(runId: string) {
    const events: AgentEvent[] = [];
    const source = await this.agent.events(runId, alice);
    let hear = (): void => undefined;
    const heardOf = async (isMeant: (event: AgentEvent) => boolean): Promise<void> => {
      while (!events.some(isMeant)) await new Promise<void>((resolve) => (hear = resolve));
    };
    const whole = (async () => {
      for await (const event of source) {
        events.push(event);
        hear();
      }
      return events;
    })();
    return { whole, heardOf };
  }

  close(): Promise<void> {
    return this.module.close();
  }
}

export const isText = (event: AgentEvent): boolean => event.type === 'text.delta';

export function textOf(events: readonly AgentEvent[]): string {
  return events.map((event) => (event.type === 'text.delta' ? event.delta : '')).join('');
}
