import { HttpAgent, type Interrupt, type Message } from '@ag-ui/client';

// #region connect
export function connect(token: string, threadId: string, agent = '/agent'): HttpAgent {
  return new HttpAgent({
    url: `${agent}/ag-ui`,
    threadId, // your own id of the conversation, such as a UUID
    headers: { authorization: `Bearer ${token}` },
  });
}
// #endregion connect

// #region ask
export async function ask(agent: HttpAgent, question: string): Promise<string> {
  agent.addMessage({ id: crypto.randomUUID(), role: 'user', content: question });
  const { newMessages } = await agent.runAgent();
  return newMessages
    .map((message) => (message.role === 'assistant' ? (message.content ?? '') : ''))
    .join('');
}
// #endregion ask

// #region approve
export async function decide(
  agent: HttpAgent,
  approves: (interrupt: Interrupt) => boolean,
): Promise<void> {
  while (agent.pendingInterrupts.length > 0) {
    const resume = agent.pendingInterrupts.map((interrupt) => ({
      interruptId: interrupt.id,
      status: 'resolved' as const,
      payload: { approved: approves(interrupt) }, // or { approved: true, editedArgs: { … } }
    }));
    await agent.runAgent({ resume });
  }
}
// #endregion approve

// #region tools
const tools = [
  {
    name: 'page-title',
    description: 'The title of the page that the user looks at',
    parameters: { type: 'object', properties: {} },
  },
];

export async function askOnPage(
  agent: HttpAgent,
  question: string,
  titleOf: () => string,
): Promise<void> {
  agent.addMessage({ id: crypto.randomUUID(), role: 'user', content: question });
  for (;;) {
    let calls: readonly string[] = [];
    await agent.runAgent(
      { tools },
      {
        onRunFinishedEvent: (end) => {
          if (end.outcome === 'success') calls = end.pendingToolCallIds;
        },
      },
    );
    if (calls.length === 0) return;
    for (const toolCallId of calls) {
      const id = crypto.randomUUID();
      agent.addMessage({ id, role: 'tool', toolCallId, content: titleOf() });
    }
  }
}
// #endregion tools

// #region reload
export async function reload(agent: HttpAgent): Promise<void> {
  const { url, threadId, headers } = agent;
  const response = await fetch(`${url}/${encodeURIComponent(threadId)}/messages`, { headers });
  if (response.status === 404) return; // nothing was said in it yet
  if (!response.ok) throw new Error(await response.text());
  const messages = (await response.json()) as Message[];
  agent.setMessages(messages);
  const answered = messages.map((message) => message.role === 'tool' && message.toolCallId);
  const asked = messages.flatMap((message) =>
    message.role === 'assistant' ? (message.toolCalls ?? []) : [],
  );
  const waits = asked.some(({ id }) => !answered.includes(id));
  if (waits) await agent.runAgent(); // says nothing, and is asked again
}
// #endregion reload

// #region stop
export async function stop({ url, threadId, headers }: HttpAgent): Promise<void> {
  await fetch(`${url}/${encodeURIComponent(threadId)}/run`, { method: 'DELETE', headers });
}
// #endregion stop

// #region visitor
export async function visit(agent: string): Promise<HttpAgent> {
  const response = await fetch(`${agent}/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  if (!response.ok) throw new Error(await response.text()); // such as 403, without a log-in
  const { sessionId } = (await response.json()) as { sessionId: string };
  return new HttpAgent({ url: `${agent}/ag-ui`, threadId: sessionId });
}
// #endregion visitor
