import { oncePer } from '../../internal';
import { type Message, type ToolResultBlock, toolUsesOf } from '../../message';

/** The part of a session's state that grows with the session. */
interface ReadonlyHistory {
  readonly messages: readonly Message[];
  readonly positions: readonly number[];
}

/** The lists that an edit changes in place. */
interface History {
  readonly messages: Message[];
  readonly positions: number[];
}

export type EditHistory = (
  state: ReadonlyHistory,
  change: (history: History) => void,
) => ReadonlyHistory;

export const onCopy: EditHistory = ({ messages, positions }, change) => {
  const own = { messages: [...messages], positions: [...positions] };
  change(own);
  return own;
};

/** For a fold that owns its lists. Returns only the lists, although it receives a whole state. */
export const inPlace: EditHistory = ({ messages, positions }, change) => {
  const own = { messages: messages as Message[], positions: positions as number[] };
  change(own);
  return own;
};

const NO_CALLS: Pick<Message, 'content'> = { content: [] };

/** Kept, since an answer may have thousands of calls. */
const orderOf = oncePer(
  (message: Pick<Message, 'content'>) =>
    new Map(toolUsesOf(message).map(({ id }, index) => [id, index])),
);

/** Adds a result to the message after its call's message, in the order of the calls. */
export function putResult({ messages, positions }: History, result: ToolResultBlock): void {
  const asking = messages.findLastIndex(({ role }) => role === 'assistant');
  const order = orderOf(messages[asking] ?? NO_CALLS);
  const placeOf = (block: ToolResultBlock) => order.get(block.tool_use_id) ?? -1;
  const results = messages[asking + 1]?.content ?? [];
  const before = results.findLastIndex(
    (other) => isResult(other) && placeOf(other) <= placeOf(result),
  );
  messages[asking + 1] = { role: 'user', content: results.toSpliced(before + 1, 0, result) };
  positions[asking + 1] = positions[asking] ?? 0;
}

export function errorResult(callId: string, text: string): ToolResultBlock {
  return { type: 'tool_result', tool_use_id: callId, content: text, is_error: true };
}

function isResult(block: Message['content'][number]): block is ToolResultBlock {
  return block.type === 'tool_result';
}
