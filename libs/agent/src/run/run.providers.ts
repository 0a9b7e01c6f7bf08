import type { InjectionToken, Provider } from '@nestjs/common';
import type { ToolCallFactory } from '../invocation';
import { AbortableStore, SESSION_STORE, type SessionStore } from '../session';
import { Telemetry } from '../telemetry';
import { ActiveRuns, Shutdown } from './execution';
import { Elsewhere, RunReader } from './lookup';
import { AGENT_SETTINGS, AgentCalls, AgentRuns, AgentServices } from './agent';
import { AgentHealth, type AgentService, type SessionService, UsageService } from './api';
import { AgentDirectory } from './asking';
import { RUN_STORE } from './request';
import { QueueDepth, RunClaims, RunJobs } from './queue';
import { FoldedSessions } from './record';
import { Quotas, UsageRecorder } from './spending';
import { StoreLifecycle } from './store.lifecycle';
import { RunTakers, WorkerProcess } from './worker';

/** Providers that exist once per application. */
export const RUN_PROVIDERS: Provider[] = [
  {
    provide: AbortableStore,
    inject: [SESSION_STORE, { token: Telemetry, optional: true }],
    useFactory: observedStore,
  },
  { provide: RUN_STORE, inject: [AbortableStore], useFactory: storeOf },
  UsageRecorder,
  Quotas,
  UsageService,
  Shutdown,
  Elsewhere,
  ActiveRuns,
  FoldedSessions,
  StoreLifecycle,
  RunReader,
  AgentDirectory,
  AgentHealth,
  AgentServices,
  RunClaims,
  RunJobs,
  QueueDepth,
  RunTakers,
  WorkerProcess,
];

/**
 * Providers that exist once per agent, besides its `AGENT_SETTINGS`.
 *
 * @param tokens the tokens with which the application injects the agent's calls and services, and
 *   with which tests override them
 */
export function agentProviders(tokens: {
  readonly calls: InjectionToken<ToolCallFactory>;
  readonly agent: InjectionToken<AgentService>;
  readonly sessions: InjectionToken<SessionService>;
}): Provider[] {
  return [
    {
      provide: AgentCalls,
      inject: [AgentServices, AGENT_SETTINGS],
      useFactory: (...parts: ConstructorParameters<typeof AgentCalls>) => new AgentCalls(...parts),
    },
    {
      provide: AgentRuns,
      inject: [AgentServices, AGENT_SETTINGS, AgentCalls, tokens.calls],
      useFactory: (...parts: ConstructorParameters<typeof AgentRuns>) => new AgentRuns(...parts),
    },
    { provide: tokens.calls, inject: [AgentCalls], useFactory: ({ calls }: AgentCalls) => calls },
    { provide: tokens.agent, inject: [AgentRuns], useFactory: ({ agent }: AgentRuns) => agent },
    {
      provide: tokens.sessions,
      inject: [AgentRuns],
      useFactory: ({ sessions }: AgentRuns) => sessions,
    },
  ];
}

/** Reports every store call to telemetry if it listens. */
function observedStore(store: SessionStore, telemetry?: Telemetry): AbortableStore {
  if (!telemetry?.has('measure')) return new AbortableStore(store);
  return new AbortableStore(store, (operation) => {
    const began = performance.now();
    return (isFailed) => {
      const durationMs = performance.now() - began;
      telemetry.measure(() => ({ type: 'store.answered', operation, durationMs, isFailed }));
    };
  });
}

function storeOf({ store }: AbortableStore): SessionStore {
  return store;
}
