import type { Attachment, ContentBlock, StoredMessage } from '../wire';
import type { AgentTurn, Part, Said, Turn, UserTurn } from './chat-state';
import { withSource } from './sources';
import { newCall, providerPart } from './tool-parts';

let lastKey = 0;

/** A stored session as turns: everything between two messages of the user is one turn. */
export function turnsOf(messages: readonly StoredMessage[]): readonly Turn[] {
  const turns: Turn[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role === 'system') continue;
    const key = `stored-${index}`;
    if (isSaidByUser(message)) {
      turns.push(userTurn(key, message));
      continue;
    }
    const last = turns.at(-1);
    if (last?.role === 'agent') turns[turns.length - 1] = withMessage(last, message);
    else turns.push(withMessage(emptyTurn(key), message));
  }
  return turns;
}

/** The turns without the last answer, for its run's events to write it again. */
export function withoutLastAnswer(turns: readonly Turn[]): readonly Turn[] {
  const last = turns.findLastIndex((turn): turn is UserTurn => turn.role === 'user');
  return turns.slice(0, last + 1);
}

/** A turn without a word; its key is that of no other turn. */
export function emptyTurn(key = `turn-${(lastKey += 1)}`): AgentTurn {
  return { role: 'agent', key, seq: 0, status: 'completed', parts: [] };
}

/** The words of the user, and the answer that is about to begin. */
export function asking({ text, attachments }: Said): readonly Turn[] {
  const answer: AgentTurn = { ...emptyTurn(), status: 'running' };
  const key = `${answer.key}-question`;
  if (attachments === undefined) return [{ role: 'user', key, text }, answer];
  return [
    { role: 'user', key, text, attachments },
    { ...answer, isUploading: true },
  ];
}

function withMessage(turn: AgentTurn, message: StoredMessage): AgentTurn {
  let { parts, sources } = turn;
  for (const block of message.content) {
    if (block.type === 'source') sources = withSource(sources, block);
    else parts = withBlock(parts, block, message);
  }
  return {
    ...turn,
    parts,
    ...(sources && { sources }),
    ...(message.runId !== undefined && { runId: message.runId }),
    ...(message.partial && { status: 'cancelled' as const }),
  };
}

function withBlock(
  parts: readonly Part[],
  block: ContentBlock,
  { outcomes = {} }: StoredMessage,
): readonly Part[] {
  switch (block.type) {
    case 'text':
      return [...parts, { type: 'text', text: block.text }];
    case 'reasoning':
      return [...parts, { type: 'thinking', text: block.text }];
    case 'tool_use':
      return [...parts, { ...newCall(block.id, block.name), input: block.input }];
    case 'provider_tool':
      return [...parts, providerPart({ ...block, callId: block.id })];
    case 'tool_result': {
      const { tool_use_id: callId, content: output, is_error: isError } = block;
      const outcome = outcomes[callId] ?? (isError ? 'error' : 'ok');
      return parts.map((part) =>
        part.type === 'tool' && part.callId === callId ? { ...part, output, outcome } : part,
      );
    }
    default:
      return parts;
  }
}

function isSaidByUser({ role, content }: StoredMessage): boolean {
  return role === 'user' && content.some(({ type }) => type !== 'tool_result');
}

function userTurn(key: string, { content, runId }: StoredMessage): UserTurn {
  const said = content.filter(({ type }) => type !== 'tool_result');
  const attachments = said.filter(isAttachment);
  const text = said.flatMap((block) => {
    if (block.type === 'text') return [block.text];
    return isAttachment(block) ? [] : [`[${block.type}]`];
  });
  // A message with content that cannot be sent again from here cannot be edited.
  const isPlain = said.every((block) => block.type === 'text' || isAttachment(block));
  return {
    role: 'user',
    key,
    text: text.join('\n'),
    ...(attachments.length > 0 && { attachments }),
    ...(isPlain && runId !== undefined && { runId }),
  };
}

function isAttachment(block: ContentBlock): block is Extract<ContentBlock, Attachment> {
  return block.type === 'image' || block.type === 'file';
}
