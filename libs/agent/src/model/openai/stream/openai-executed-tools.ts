import { jsonObjectIn } from '../../../message';
import type { ModelEvent } from '../../chat-model';
import type { OpenAiDelta, OpenAiExecutedTool } from './openai-chunk';

const NONE: readonly ModelEvent[] = [];

/** Groq's tools: it runs them itself, and reports them as they begin and as they end. */
export class OpenAiExecutedTools {
  private readonly begun = new Map<number, ModelEvent>();
  private count = 0;

  /** The events of tools that have ended. */
  read(answerId: unknown, { executed_tools: tools }: OpenAiDelta): readonly ModelEvent[] {
    if (!tools) return NONE;
    return tools.flatMap((tool) => {
      const index = tool.index ?? this.count++;
      const event = eventOf(tool, `${String(answerId)}_${index}`);
      const isOver = typeof tool.output === 'string';
      if (isOver) this.begun.delete(index);
      else this.begun.set(index, event);
      return isOver ? [event] : [];
    });
  }

  /** The events of tools whose end was not reported. */
  finish(): readonly ModelEvent[] {
    return [...this.begun.values()];
  }
}

function eventOf({ type, arguments: input, output }: OpenAiExecutedTool, id: string): ModelEvent {
  const read = jsonObjectIn(String(input));
  return {
    type: 'provider_tool',
    id,
    name: typeof type === 'string' ? type : 'tool',
    ...(read && { input: read }),
    ...(typeof output === 'string' && { output }),
  };
}
