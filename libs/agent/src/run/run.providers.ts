import type { Provider } from '@nestjs/common';
import { AbortableStore, SESSION_STORE, type SessionStore } from '../session';
import { Telemetry } from '../telemetry';
import {
  ActiveRuns,
  AnswerTaker,
  ChildRuns,
  ClientTools,
  Elsewhere,
  Models,
  Rewinding,
  RunLauncher,
  RunLookup,
  RunReader,
  RunResumer,
  RunStarter,
  SessionAccess,
  SessionWriter,
  Shutdown,
  WaitingRunCanceller,
} from './lifecycle';
import { AgentHealth, CompletionRunner, StructuredOutput, ToolListing, UsageService } from './api';
import { ASK_TOOLS } from '../invocation';
import { AgentDirectory, AskTools } from './asking';
import { RunInspector } from './inspection';
import { LoopServices } from './loop';
import { RUN_STORE } from './request';
import { FoldedSessions } from './record';
import { Quotas, UsageRecorder } from './spending';
import { StoreLifecycle } from './store.lifecycle';

/** One of each per application. */
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
];

/** One of each per agent, besides `OWN_AGENT`, `OWN_SESSIONS` and `OWN_MODEL`. */
export const AGENT_RUN_PROVIDERS: Provider[] = [
  AnswerTaker,
  SessionAccess,
  SessionWriter,
  LoopServices,
  Models,
  ClientTools,
  RunLauncher,
  Rewinding,
  RunStarter,
  RunResumer,
  WaitingRunCanceller,
  ChildRuns,
  AskTools,
  { provide: ASK_TOOLS, useExisting: AskTools },
  RunLookup,
  CompletionRunner,
  StructuredOutput,
  ToolListing,
  RunInspector,
];

/** Telemetry is told of every call, where it wants to be. */
function observedStore(store: SessionStore, telemetry?: Telemetry): AbortableStore {
  if (!telemetry?.has('measure')) return new AbortableStore(store);
  return new AbortableStore(store, (operation, durationMs, isFailed) =>
    telemetry.measure(() => ({ type: 'store.answered', operation, durationMs, isFailed })),
  );
}

function storeOf({ store }: AbortableStore): SessionStore {
  return store;
}
