import type { Provider } from '@nestjs/common';
import { ActiveRuns } from './active-runs';
import { AgentService } from './agent.service';
import { CompletionRunner } from './completion';
import { ModelCheck } from './model.check';
import { RunLauncher } from './run-launcher';
import { RunLookup } from './run-lookup';
import { RunResumer } from './run-resumer';
import { RunStarter } from './run-starter';
import { StoredRunReader } from './stored-run.reader';
import { SessionAccess } from './session-access';
import { SessionService } from './session.service';
import { SessionWriter } from './session-writer';
import { StoreLifecycle } from './store.lifecycle';
import { StructuredOutput } from './structured-output';
import { ToolListing } from './tool-listing';
import { WaitingRunCanceller } from './waiting-run.canceller';

/** What the module provides of this layer. */
export const RUN_PROVIDERS: Provider[] = [
  ActiveRuns,
  SessionAccess,
  SessionWriter,
  StoreLifecycle,
  ModelCheck,
  RunLauncher,
  RunStarter,
  RunResumer,
  WaitingRunCanceller,
  StoredRunReader,
  RunLookup,
  CompletionRunner,
  StructuredOutput,
  ToolListing,
  AgentService,
  SessionService,
];
