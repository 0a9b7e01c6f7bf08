import type { OnApplicationBootstrap } from '@nestjs/common';
import type { ToolCallFactory } from '../../invocation';
import {
  AgentService,
  CompletionRunner,
  SessionService,
  StructuredOutput,
  ToolListing,
} from '../api';
import {
  StoredAnswers,
  ChildRuns,
  Rewinding,
  RunEnqueuer,
  RunResumer,
  RunStarter,
} from '../lifecycle';
import { RunLauncher, SessionAccess, SessionWriter } from '../execution';
import { QueuedRuns, RunLookup, WaitingRunCanceller } from '../lookup';
import { RunInspector } from '../inspection';
import { ClientTools, LoopServices, Models } from '../loop';
import { RunTaker } from '../worker';
import type { AgentCalls } from './agent-calls';
import type { AgentServices } from './agent-services';
import type { AgentSettings } from './agent-settings';

/** One agent's services and their dependencies. */
export class AgentRuns implements OnApplicationBootstrap {
  readonly agent: AgentService;
  readonly sessions: SessionService;
  readonly inspector: RunInspector;
  private readonly models: Models;

  /** @param calls the tool calls of its runs; tests may override the agent's provider */
  constructor(
    shared: AgentServices,
    settings: AgentSettings,
    { catalog, tools, rules }: AgentCalls,
    calls: ToolCallFactory,
  ) {
    const { store, bus, folded, reader, active, elsewhere } = shared;
    const { directory, quotas, usageRecorder, executor, defaults } = shared;
    const { jobs, claims, takers, depth } = shared;
    const { run, guards, telemetry } = settings;
    const models = new Models(settings.model, settings.models, quotas);
    const clientTools = new ClientTools(run, catalog);
    const access = new SessionAccess(store, run);
    const writer = new SessionWriter(run, store, folded);
    const loop = new LoopServices(
      run,
      defaults,
      calls,
      catalog,
      models,
      clientTools,
      quotas,
      usageRecorder,
      telemetry,
    );
    const launcher = new RunLauncher(loop, active, directory, bus);
    const rewinding = new Rewinding(store, writer, loop, launcher);
    const canceller = new WaitingRunCanceller(writer, loop, launcher, jobs);
    const lookup = new RunLookup(access, active, reader, canceller, catalog, elsewhere);
    const enqueuer = new RunEnqueuer(run, jobs, claims, depth, new QueuedRuns(lookup, active));
    const starter = new RunStarter(loop, access, writer, launcher, active, rewinding, enqueuer);
    const resumer = new RunResumer(
      loop,
      access,
      reader,
      writer,
      new StoredAnswers(loop),
      active,
      launcher,
      enqueuer,
    );
    takers.add(new RunTaker(loop, store, writer, launcher, active, claims, jobs, depth));
    directory.add(
      new ChildRuns(
        loop,
        store,
        guards,
        directory,
        tools,
        rules,
        writer,
        launcher,
        starter,
        resumer,
        reader,
        canceller,
        active,
        elsewhere,
      ),
    );
    this.models = models;
    this.inspector = new RunInspector(loop, store, access);
    this.agent = new AgentService(
      starter,
      resumer,
      lookup,
      new CompletionRunner(loop, active, launcher),
      new StructuredOutput(loop),
      new ToolListing(catalog),
    );
    this.sessions = new SessionService(
      run,
      store,
      access,
      writer,
      active,
      executor,
      catalog,
      folded,
      elsewhere,
      lookup,
      rewinding,
    );
  }

  onApplicationBootstrap(): void {
    this.models.check();
  }
}
