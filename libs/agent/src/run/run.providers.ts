import type { Provider } from '@nestjs/common';
import { AbortableStore, SESSION_STORE, type SessionStore } from '../session';
import { Telemetry } from '../telemetry';
import {
  ActiveRuns,
  AnswerTaker,
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
import {
  AgentHealth,
  AgentService,
  CompletionRunner,
  SessionService,
  StructuredOutput,
  ToolListing,
} from './api';
import { LoopServices } from './loop';
import { RUN_STORE } from './request';
import { FoldedSessions } from './record';
import { StoreLifecycle } from './store.lifecycle';

export const RUN_PROVIDERS: Provider[] = [
  {
    provide: AbortableStore,
    inject: [SESSION_STORE, { token: Telemetry, optional: true }],
    useFactory: observedStore,
  },
  { provide: RUN_STORE, inject: [AbortableStore], useFactory: storeOf },
  Shutdown,
  Elsewhere,
  ActiveRuns,
  AnswerTaker,
  SessionAccess,
  FoldedSessions,
  SessionWriter,
  StoreLifecycle,
  LoopServices,
  Models,
  ClientTools,
  RunLauncher,
  Rewinding,
  RunStarter,
  RunResumer,
  WaitingRunCanceller,
  RunReader,
  RunLookup,
  CompletionRunner,
  StructuredOutput,
  ToolListing,
  AgentService,
  SessionService,
  AgentHealth,
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
