import type { Provider } from '@nestjs/common';
import { AbortableStore, SESSION_STORE, type SessionStore } from '../session';
import { ActiveRuns } from './active-runs';
import { AgentService } from './agent.service';
import { CompletionRunner } from './completion';
import { Elsewhere } from './elsewhere';
import { ModelCheck } from './model.check';
import { Rewinding } from './rewinding';
import { RunLauncher } from './run-launcher';
import { RunLookup } from './run-lookup';
import { RunResumer } from './run-resumer';
import { RunStarter } from './run-starter';
import { RUN_STORE } from './run.constants';
import { FoldedSessions } from './record/folded-sessions';
import { RunReader } from './record/run.reader';
import { Shutdown } from './shutdown';
import { SessionAccess } from './session-access';
import { SessionService } from './session.service';
import { SessionWriter } from './session-writer';
import { StoreLifecycle } from './store.lifecycle';
import { StructuredOutput } from './structured-output';
import { ToolListing } from './tool-listing';
import { WaitingRunCanceller } from './waiting-run.canceller';

/** What the module provides of this layer. */
export const RUN_PROVIDERS: Provider[] = [
  {
    provide: AbortableStore,
    inject: [SESSION_STORE],
    useFactory: (store: SessionStore) => new AbortableStore(store),
  },
  { provide: RUN_STORE, inject: [AbortableStore], useFactory: storeOf },
  Shutdown,
  Elsewhere,
  ActiveRuns,
  SessionAccess,
  FoldedSessions,
  SessionWriter,
  StoreLifecycle,
  ModelCheck,
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
];

function storeOf({ store }: AbortableStore): SessionStore {
  return store;
}
