import type { OnApplicationBootstrap } from '@nestjs/common';
import { AgentTools, PermissionRules, ToolCallFactory, ToolCatalog } from '../../invocation';
import { AskTools } from '../asking';
import type { AgentServices } from './agent-services';
import type { AgentSettings } from './agent-settings';

/** One agent's tools, and their calls. */
export class AgentCalls implements OnApplicationBootstrap {
  readonly tools: AgentTools;
  readonly rules: PermissionRules;
  readonly catalog: ToolCatalog;
  readonly calls: ToolCallFactory;
  private readonly asks: AskTools;

  constructor(
    { registry, executor, callRecorder, defaults, builtins, report, directory }: AgentServices,
    { run, permissions, presets, offer, selection, telemetry }: AgentSettings,
  ) {
    this.asks = new AskTools(run, directory, registry);
    this.rules = new PermissionRules(permissions);
    this.tools = new AgentTools(registry, presets, selection);
    this.catalog = new ToolCatalog(
      this.tools,
      this.rules,
      presets,
      defaults,
      builtins,
      offer,
      report,
      this.asks,
    );
    this.calls = new ToolCallFactory(this.catalog, executor, callRecorder, this.rules, telemetry);
  }

  /** @throws AgentError for options that do not fit the tools or the other agents */
  onApplicationBootstrap(): void {
    this.tools.check();
    this.catalog.check();
    this.asks.check();
  }
}
