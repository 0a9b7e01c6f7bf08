import { useChat } from '@ai-sdk/react';
import {
  DefaultChatTransport,
  getToolName,
  isToolUIPart,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  lastAssistantMessageIsCompleteWithToolCalls,
  type UIMessage,
} from 'ai';
import { useEffect, useState } from 'react';
import { addressOf, headers, messageOf, read, readWhenBack } from '../shared/agent';
import { browserTool, browserTools } from '../shared/browser-tools';
import { Composer } from '../shared/composer';
import { Loaded } from '../shared/loaded';
import { Message } from './message';

/** Loads the stored messages, including pending approvals. */
export function Conversation({ thread }: { thread: string }) {
  return (
    <Loaded load={() => read<UIMessage[]>('ai-sdk', thread, 'messages')}>
      {(history = []) => <Chat thread={thread} history={history} />}
    </Loaded>
  );
}

// #region chat
const transport = new DefaultChatTransport({
  api: addressOf('ai-sdk'),
  headers,
  body: { tools: browserTools },
});

function Chat({ thread, history }: { thread: string; history: UIMessage[] }) {
  const [isLost, setLost] = useState(false);
  const waiting = callsForPage(history);
  const chat = useChat({
    id: thread,
    messages: history,
    transport,
    // A run that is still going on, after a reload, is read from its first event.
    resume: waiting.length === 0,
    sendAutomaticallyWhen: (state) =>
      lastAssistantMessageIsCompleteWithApprovalResponses(state) ||
      lastAssistantMessageIsCompleteWithToolCalls(state),
    onToolCall: ({ toolCall: { toolName, toolCallId, input } }) => run(toolName, toolCallId, input),
    // A message that may never have arrived stays as it is, with the error.
    onFinish: ({ isDisconnect, messages }) => {
      if (isDisconnect && messages.at(-1)?.role === 'assistant') void catchUp();
    },
  });
  // The process may have ended together with the run, which the stream alone does not show.
  const catchUp = async () => {
    setLost(true);
    const messages = await readWhenBack<UIMessage[]>('ai-sdk', thread, 'messages');
    setLost(false);
    if (messages === undefined) return; // The session was removed or the log-in expired; the error stays.
    chat.clearError();
    chat.setMessages(messages);
    const calls = callsForPage(messages);
    makeCalls(calls);
    if (calls.length === 0) await chat.resumeStream();
  };
  const run = (toolName: string, toolCallId: string, input: unknown) => {
    const tool = browserTool(toolName);
    if (tool === undefined) return; // The server runs it.
    const call = { tool: toolName, toolCallId };
    // Not awaited: the stream would wait for it, and it for the stream.
    try {
      const output = tool.run(input as Record<string, unknown>);
      void chat.addToolOutput({ ...call, output });
    } catch (error) {
      void chat.addToolOutput({ ...call, state: 'output-error', errorText: String(error) });
    }
  };
  const makeCalls = (parts: typeof waiting) => {
    for (const part of parts) run(getToolName(part), part.toolCallId, part.input);
  };
  // What the page left open when it was closed, it does now. React's strict mode mounts twice, and
  // the chat is stopped in between: a timer waits for the second time.
  useEffect(() => {
    const timer = setTimeout(() => makeCalls(waiting));
    return () => clearTimeout(timer);
  }, []);
  const isBusy = isLost || chat.status === 'submitted' || chat.status === 'streaming';
  const stop = () => {
    void chat.stop();
    // Where a run goes on without its reader, leaving is not stopping.
    void fetch(addressOf('ai-sdk', thread, 'stream'), { method: 'DELETE', headers: headers() });
  };
  return (
    <main className="chat">
      <div className="log growing" role="log">
        <div>
          {chat.messages.map((message) => (
            <Message
              key={message.id}
              message={message}
              onAnswer={(id, approved) => void chat.addToolApprovalResponse({ id, approved })}
            />
          ))}
          {!isBusy && isAnswered(chat.messages) && (
            <p className="actions">
              <button onClick={() => void chat.regenerate()}>Regenerate</button>
            </p>
          )}
        </div>
      </div>
      {chat.error && (
        <p className="error" role="alert">
          {messageOf(chat.error)}
        </p>
      )}
      <Composer
        isBusy={isBusy}
        onStop={stop}
        onSend={(text, files) => void chat.sendMessage({ text, ...(files && { files }) })}
      />
    </main>
  );
}

/** The calls that the agent waits for this page to make. */
function callsForPage(history: readonly UIMessage[]) {
  return (history.at(-1)?.parts ?? [])
    .filter(isToolUIPart)
    .filter(({ state, providerExecuted }) => state === 'input-available' && !providerExecuted);
}
// #endregion chat

/** Whether the last word is the agent's, and it waits for nothing. */
function isAnswered(messages: readonly UIMessage[]): boolean {
  const last = messages.at(-1);
  const isWaiting = last?.parts.some(
    (part) => isToolUIPart(part) && part.state === 'approval-requested',
  );
  return last?.role === 'assistant' && !isWaiting;
}
