import { NO_USAGE, toolUsesOf } from '../../message';
import type { SessionEntry, SessionState, Spending } from '../../session';

/**
 * The usage of entries. Excludes tokens of asked agents: their own journals have them.
 *
 * @param agent the agent's name
 * @param before the state before the entries
 */
export function spendingsOf(
  agent: string,
  before: SessionState,
  entries: readonly SessionEntry[],
): readonly Spending[] {
  let model = before.run?.modelName ?? '';
  return entries.flatMap((entry): Spending[] => {
    switch (entry.type) {
      case 'run.started':
        model = entry.modelName;
        return [{ agent, model, usage: NO_USAGE, runs: 1, toolCalls: 0 }];
      case 'step.finished': {
        const toolCalls = toolUsesOf(entry.message).length;
        return [{ agent, model, usage: entry.usage, runs: 0, toolCalls }];
      }
      case 'compacted':
        return [{ agent, model, usage: entry.usage, runs: 0, toolCalls: 0 }];
      default:
        return [];
    }
  });
}
