import {
  type AbstractChat,
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  lastAssistantMessageIsCompleteWithToolCalls,
  type UIMessage,
} from 'ai';

// #region connect
export function connect(token: () => string, agent = '/agent') {
  return new DefaultChatTransport<UIMessage>({
    api: `${agent}/ai-sdk`,
    headers: () => ({ authorization: `Bearer ${token()}` }), // asked before each request
    body: { frontendTools: [OPEN_ORDER] }, // the page's tools, if it has any
  });
}
// #endregion connect

// #region answered
export function isAnswered(chat: { messages: UIMessage[] }): boolean {
  return (
    lastAssistantMessageIsCompleteWithToolCalls(chat) ||
    lastAssistantMessageIsCompleteWithApprovalResponses(chat)
  );
}
// #endregion answered

// #region tools
const OPEN_ORDER = {
  name: 'open_order',
  description: 'Open an order on the screen of the user',
  input_schema: {
    type: 'object',
    properties: { id: { type: 'integer' } },
    required: ['id'],
  },
};

interface CallInPage {
  readonly toolName: string;
  readonly toolCallId: string;
  readonly input: unknown;
}

type Answers = Pick<AbstractChat<UIMessage>, 'addToolOutput'>;

export function runInPage(chat: Answers, open: (id: number) => string, call: CallInPage): void {
  if (call.toolName !== 'open_order') return; // a tool of the server: nothing to do here
  const { toolCallId } = call;
  const answer = { tool: 'open_order', toolCallId } as const;
  try {
    const { id } = call.input as { id: number };
    // Not awaited: the answer is sent once the stream has ended.
    void chat.addToolOutput({ ...answer, output: { opened: open(id) } });
  } catch (error) {
    void chat.addToolOutput({ ...answer, state: 'output-error', errorText: String(error) });
  }
}
// #endregion tools

// #region threads
export async function threads(token: string, agent = '/agent') {
  const answer = await fetch(`${agent}/sessions`, {
    headers: { authorization: `Bearer ${token}` },
  });
  if (!answer.ok) throw new Error(await answer.text());
  const sessions = (await answer.json()) as { sessionId: string; title?: string }[];
  return sessions.map(({ sessionId: id, title = 'New chat' }) => ({ id, title }));
}
// #endregion threads

// #region history
export async function historyOf(id: string, token: string, agent = '/agent') {
  const answer = await fetch(`${agent}/ai-sdk/${encodeURIComponent(id)}/messages`, {
    headers: { authorization: `Bearer ${token}` },
  });
  if (answer.status === 404) return []; // nothing was said yet
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as UIMessage[];
}
// #endregion history

// #region stop
type Running = Pick<AbstractChat<UIMessage>, 'id' | 'stop'>; // what useChat returns, too

export async function stop(chat: Running, token: string, agent = '/agent') {
  await fetch(`${agent}/ai-sdk/${encodeURIComponent(chat.id)}/stream`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${token}` },
  });
  await chat.stop();
}
// #endregion stop

// #region last
export function connectBriefly(token: () => string, agent = '/agent') {
  return new DefaultChatTransport<UIMessage>({
    api: `${agent}/ai-sdk`,
    headers: () => ({ authorization: `Bearer ${token()}` }),
    prepareSendMessagesRequest: ({ id, messages, trigger, messageId, body }) => ({
      body: { ...body, id, trigger, messageId, message: messages.at(-1) },
    }),
  });
}
// #endregion last
