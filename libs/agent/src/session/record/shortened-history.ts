import type { Message } from '../../message';
import { formerCallIdsWith } from './former-calls';
import type { EntryOf } from './entries';
import type { SessionState } from './session-state';

/** Replaces a picture or file of an earlier question. */
const DROPPED_ATTACHMENT =
  '[Something was attached here. It is left out since the conversation was summarised.]';

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
  if (!message.content.some(isAttachment)) return message;
  const content = message.content.map((block) =>
    isAttachment(block) ? ({ type: 'text', text: DROPPED_ATTACHMENT } as const) : block,
  );
  return { ...message, content };
}

function isAttachment({ type }: Message['content'][number]): boolean {
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
