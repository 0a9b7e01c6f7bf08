import { type ContentBlock, type Message, type TextBlock, toolUsesOf } from '../../message';
import type { EntryOf } from './entries';
import type { SessionState } from './session-state';

/** Longer ids are random. Shorter ones may be counters of the model, and so repeat. */
const MAX_COUNTED_CHARS = 20;

/** Replaces a picture or file of an earlier question. */
const DROPPED_ATTACHMENT =
  '[Something was attached here. It is left out since the conversation was summarised.]';

/** Replaces a picture or file that a provider refused. */
const REFUSED_ATTACHMENT = unseenText('Something was attached here that could not be read.');

/** The text that the model receives in place of an attachment that it cannot read. */
export function unseenText(description: string): string {
  return `[${description} You cannot see it: say so where it matters.]`;
}

/** Replaces the beginning with a summary. */
export function compacted(
  { measured: _, activeGroups: __, formerCallIds: ___, ...state }: SessionState,
  entry: EntryOf<'compacted'>,
): SessionState {
  const { summary, keepFrom, keepAlso, activeGroups, rememberedTools, formerCallIds } = entry;
  const isKept = (position: number): boolean => position >= keepFrom || position === keepAlso;
  const positions = state.positions.filter(isKept);
  const messages = state.messages.filter((_message, index) => isKept(state.positions[index] ?? 0));
  const begin = state.run?.position ?? 0;
  const isParted = state.positions.some(
    (at) => keepAlso !== undefined && keepAlso < at && at < keepFrom,
  );
  return {
    ...state,
    wholeFrom: isParted ? keepFrom : (keepAlso ?? keepFrom),
    // The current question keeps its pictures.
    messages: [
      summary,
      ...messages.map((message, index) =>
        (positions[index] ?? 0) < begin ? withoutAttachments(message) : message,
      ),
    ],
    positions: [0, ...positions],
    rememberedTools,
    ...(activeGroups && { activeGroups }),
    ...(formerCallIds && { formerCallIds }),
  };
}

/** Attachments are sent with every request, and the history was too long. */
function withoutAttachments(message: Message): Message {
  const content = replaced(message.content, DROPPED_ATTACHMENT);
  return content === message.content ? message : { ...message, content };
}

/** Leaves out attachments that a provider refuses with every request, those of results included. */
export function withoutRefused(
  { measured: _, ...state }: SessionState,
  from: number,
): SessionState {
  const messages = state.messages.map((message, index) =>
    (state.positions[index] ?? 0) < from ? message : withoutUnreadable(message),
  );
  return { ...state, messages };
}

function withoutUnreadable(message: Message): Message {
  const content = message.content.map((block) =>
    block.type !== 'tool_result' || typeof block.content === 'string'
      ? block
      : { ...block, content: replaced(block.content, REFUSED_ATTACHMENT) },
  );
  return { ...message, content: replaced(content, REFUSED_ATTACHMENT) };
}

function replaced<Block extends ContentBlock>(
  content: readonly Block[],
  text: string,
): readonly (Block | TextBlock)[] {
  if (!content.some(isAttachment)) return content;
  return content.map((block) => (isAttachment(block) ? { type: 'text', text } : block));
}

/**
 * The position from which on attachments must be left out if a provider refuses some of them: those
 * since the last answer, which no model has read, or else all; `undefined` if there are none.
 */
export function refusedFrom({ messages, positions }: SessionState): number | undefined {
  const answered = messages.findLastIndex(({ role }) => role === 'assistant');
  const withAttachments = messages.flatMap((message, index) =>
    hasAttachment(message.content) ? [index] : [],
  );
  const first = withAttachments.find((index) => index > answered) ?? withAttachments[0];
  return first === undefined ? undefined : positions[first];
}

function hasAttachment(content: readonly ContentBlock[]): boolean {
  return content.some(
    (block) =>
      isAttachment(block) ||
      (block.type === 'tool_result' &&
        typeof block.content !== 'string' &&
        hasAttachment(block.content)),
  );
}

function isAttachment({ type }: Pick<ContentBlock, 'type'>): boolean {
  return type === 'image' || type === 'file';
}

/** Removes the messages from the run's beginning on. */
export function rewound(
  { measured: _, ...state }: SessionState,
  { position }: EntryOf<'rewound'>,
): SessionState {
  const isKept = (at: number): boolean => at < position;
  const taken = state.messages.filter((_message, index) => !isKept(state.positions[index] ?? 0));
  const formerCallIds = formerCallIdsWith(state, taken);
  return {
    ...state,
    ...(formerCallIds.length > 0 && { formerCallIds }),
    messages: state.messages.filter((_message, index) => isKept(state.positions[index] ?? 0)),
    positions: state.positions.filter(isKept),
    openCalls: [],
    actions: [],
  };
}

/** The former call ids, including the calls that leave the conversation with these messages. */
export function formerCallIdsWith(
  { formerCallIds = [] }: Pick<SessionState, 'formerCallIds'>,
  messages: readonly Message[],
): readonly string[] {
  const leaving = messages.flatMap((message) => toolUsesOf(message).map(({ id }) => id));
  return [
    ...new Set([...formerCallIds, ...leaving.filter(({ length }) => length <= MAX_COUNTED_CHARS)]),
  ];
}
