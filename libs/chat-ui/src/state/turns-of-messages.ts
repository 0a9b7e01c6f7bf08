import type { ContentBlock, Message } from '../wire/protocol';
import { newCall } from './apply-event';
import type { AgentTurn, Part, Turn, UserTurn } from './chat-state';

/** A stored session as turns: everything between two messages of the user is one turn. */
export function turnsOf(messages: readonly Message[]): readonly Turn[] {
  const turns: Turn[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role === 'system') continue;
    const said = message.role === 'user' ? userText(message) : undefined;
    if (said !== undefined) {
      turns.push({ role: 'user', key: `stored-${index}`, text: said });
      continue;
    }
    const last = turns.at(-1);
    const turn = last?.role === 'agent' ? last : emptyTurn(`stored-${index}`);
    const next = withMessage(turn, message);
    if (turn === last) turns[turns.length - 1] = next;
    else turns.push(next);
  }
  return turns;
}

/** The turns without the last answer, for its run's events to write it again. */
export function withoutLastAnswer(turns: readonly Turn[]): readonly Turn[] {
  const last = turns.findLastIndex((turn): turn is UserTurn => turn.role === 'user');
  return turns.slice(0, last + 1);
}

export function emptyTurn(key: string): AgentTurn {
  return { role: 'agent', key, seq: 0, status: 'completed', parts: [] };
}

function withMessage(turn: AgentTurn, message: Message): AgentTurn {
  let parts = turn.parts;
  for (const block of message.content) parts = withBlock(parts, block);
  return { ...turn, parts, ...(message.partial && { status: 'cancelled' as const }) };
}

function withBlock(parts: readonly Part[], block: ContentBlock): readonly Part[] {
  switch (block.type) {
    case 'text':
      return [...parts, { type: 'text', text: block.text }];
    case 'reasoning':
      return [...parts, { type: 'thinking', text: block.text }];
    case 'tool_use':
      return [...parts, { ...newCall(block.id, block.name), input: block.input }];
    case 'tool_result':
      return parts.map((part) =>
        part.type === 'tool' && part.callId === block.tool_use_id
          ? { ...part, output: block.content, isError: block.is_error }
          : part,
      );
    default:
      return parts;
  }
}

function userText(message: Message): string | undefined {
  const texts = message.content.filter((block) => block.type === 'text');
  return texts.length === 0 ? undefined : texts.map(({ text }) => text).join('\n');
}
