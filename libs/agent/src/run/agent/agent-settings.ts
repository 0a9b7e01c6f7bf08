import type {
  AgentSelection,
  OfferOptions,
  PermissionOptions,
  PresetRules,
} from '../../invocation';
import type { ChatModel } from '../../model';
import type { Telemetry } from '../../telemetry';
import type { AskedGuards, RunOptions } from '../request';

export interface AgentSettings {
  readonly run: RunOptions;
  readonly model: ChatModel;
  readonly models: ReadonlyMap<string, ChatModel>;
  /** The permissions of the module, then those of the agent. */
  readonly permissions: readonly PermissionOptions[];
  readonly presets: PresetRules;
  readonly offer: OfferOptions;
  /** Missing if the agent has all tools. */
  readonly selection?: AgentSelection;
  readonly guards: AskedGuards;
  readonly telemetry: Telemetry;
}

/** Injection token of one agent's `AgentSettings`. */
export const AGENT_SETTINGS = Symbol('nestjs-agent:agent-settings');
