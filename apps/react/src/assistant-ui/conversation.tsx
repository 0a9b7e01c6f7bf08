import {
  AssistantRuntimeProvider,
  AuiConfig,
  SimpleImageAttachmentAdapter,
} from '@assistant-ui/react';
import { AssistantChatTransport, useChatRuntime } from '@assistant-ui/react-ai-sdk';
import {
  lastAssistantMessageIsCompleteWithApprovalResponses,
  lastAssistantMessageIsCompleteWithToolCalls,
  type UIMessage,
} from 'ai';
import { useMemo } from 'react';
import { addressOf, headers, read } from '../shared/agent';
import { Thread } from '../shared/assistant-thread';
import { assistantTools, PlainToolPart } from '../shared/assistant-tools';
import { Loaded } from '../shared/loaded';

/** Loads the stored messages, including pending approvals. */
export function Conversation({ thread }: { thread: string }) {
  return (
    <Loaded load={() => read<UIMessage[]>('ai-sdk', thread, 'messages')}>
      {(history = []) => <Chat thread={thread} history={history} />}
    </Loaded>
  );
}

const adapters = { attachments: new SimpleImageAttachmentAdapter() };

// #region chat
function Chat({ thread, history }: { thread: string; history: UIMessage[] }) {
  const transport = useMemo(() => transportOf(thread, history), [thread, history]);
  const runtime = useChatRuntime({
    messages: history,
    transport,
    adapters,
    sendAutomaticallyWhen: (state) =>
      lastAssistantMessageIsCompleteWithApprovalResponses(state) ||
      lastAssistantMessageIsCompleteWithToolCalls(state),
  });
  const stop = () =>
    // Where a run goes on without its reader, leaving is not stopping.
    void fetch(addressOf('ai-sdk', thread, 'stream'), { method: 'DELETE', headers: headers() });
  return (
    <AssistantRuntimeProvider runtime={runtime} config={AuiConfig({ tools: assistantTools })}>
      <Thread tool={PlainToolPart} onStop={stop} mayEdit />
    </AssistantRuntimeProvider>
  );
}

function transportOf(thread: string, history: UIMessage[]): AssistantChatTransport<UIMessage> {
  let stored = history;
  let sent = history;
  return new AssistantChatTransport({
    api: addressOf('ai-sdk'),
    headers,
    // assistant-ui generates new conversation ids on each page load; the id in the address is kept.
    prepareSendMessagesRequest: ({ body, messages, trigger, messageId }) => {
      const edited = replacedBy(messages, stored);
      sent = messages;
      return { body: { ...body, id: thread, messages, trigger, messageId: edited ?? messageId } };
    },
    // A message that the server has refused replaces nothing, and is replaced by nothing.
    fetch: async (...request) => {
      const response = await fetch(...request);
      if (response.ok) stored = sent;
      return response;
    },
    // A run that is still going on, after a reload, is read from its first event.
    resumable: {
      storage: { getStreamId: () => thread, setStreamId: () => {}, clear: () => {} },
      resumeApi: (id) => addressOf('ai-sdk', id, 'stream'),
    },
  });
}

/** assistant-ui cuts its list before an edited message, and does not say which one it replaces. */
function replacedBy(messages: UIMessage[], stored: UIMessage[]): string | undefined {
  const place = messages.length - 1;
  const [said, replaced] = [messages[place], stored[place]];
  const isEdit = said?.role === 'user' && replaced?.role === 'user' && said.id !== replaced.id;
  return isEdit ? replaced.id : undefined;
}
// #endregion chat
