import { deepEqual, equal } from 'node:assert/strict';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  AbstractChat,
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  lastAssistantMessageIsCompleteWithToolCalls,
  validateUIMessages,
  type ChatState,
  type ChatStatus,
  type UIMessage,
} from 'ai';
import { AgentModule } from 'nestjs-agent';
import { ScriptedModel } from 'nestjs-agent/testing';
import { AdderTools } from './adder.tools.js';

const model = new ScriptedModel([
  { toolCalls: [{ name: 'add', input: { a: 2, b: 40 } }, { name: 'page_title' }] },
  { reasoning: 'Easy.', text: ['It is ', '42.'] },
  'Still 42.',
]);

@Module({
  imports: [AgentModule.forRoot({ model, permissions: { add: 'ask' }, principal: () => 'alice' })],
  providers: [AdderTools],
})
class ChatModule {}

const PAGE_TITLE = {
  name: 'page_title',
  description: 'The title of the page',
  input_schema: { type: 'object', properties: {} },
};

/** What `useChat` keeps in React's state. */
class PlainState implements ChatState<UIMessage> {
  status: ChatStatus = 'ready';
  error: Error | undefined = undefined;
  messages: UIMessage[] = [];
  pushMessage = (message: UIMessage): void => {
    this.messages = [...this.messages, message];
  };
  popMessage = (): void => {
    this.messages = this.messages.slice(0, -1);
  };
  replaceMessage = (index: number, message: UIMessage): void => {
    this.messages = this.messages.map((each, at) => (at === index ? this.snapshot(message) : each));
  };
  snapshot = <T>(thing: T): T => structuredClone(thing);
}

class Page extends AbstractChat<UIMessage> {
  posts = 0;

  constructor(api: string) {
    let sent = (): void => undefined;
    super({
      id: 'main',
      state: new PlainState(),
      transport: new DefaultChatTransport({
        api,
        body: { frontendTools: [PAGE_TITLE] },
        fetch: (input, init) => {
          if (init?.method === 'POST') sent();
          return fetch(input, init);
        },
      }),
      onToolCall: ({ toolCall: { toolName, toolCallId } }) => {
        if (toolName !== 'page_title') return;
        void this.addToolOutput({ tool: 'page_title', toolCallId, output: 'Orders' });
      },
      sendAutomaticallyWhen: (state) =>
        lastAssistantMessageIsCompleteWithToolCalls(state) ||
        lastAssistantMessageIsCompleteWithApprovalResponses(state),
    });
    sent = () => {
      this.posts += 1;
    };
  }

  /** The last answer: its texts, and the states of its calls. */
  get told(): readonly string[] {
    return (this.lastMessage?.parts ?? []).flatMap((part) => {
      if (part.type === 'text') return [part.text];
      return 'toolCallId' in part ? [`${part.toolCallId} ${part.state}`] : [];
    });
  }

  async settled(): Promise<void> {
    do await new Promise((resolve) => setImmediate(resolve));
    while (this.status === 'submitted' || this.status === 'streaming');
    equal(this.error, undefined);
  }
}

/** An approval and a tool of the page in one step, through the client of `ai` 7. */
export async function chat(): Promise<void> {
  const app = await NestFactory.create(ChatModule, { logger: ['error', 'fatal'] });
  try {
    await app.listen(0, '127.0.0.1');
    const api = `${await app.getUrl()}/agent/ai-sdk`;
    const page = new Page(api);
    await page.sendMessage({ text: 'What is 2 and 40?' });
    await page.settled();
    deepEqual(page.told, ['call_1 approval-requested', 'call_2 output-available']);
    await page.addToolApprovalResponse({ id: 'call_1', approved: true });
    await page.settled();
    deepEqual(page.told, ['call_1 output-available', 'call_2 output-available', 'It is 42.']);
    equal(page.posts, 2);
    equal(page.messages.length, 2);
    await page.regenerate();
    await page.settled();
    deepEqual(page.told, ['Still 42.']);
    await page.resumeStream();
    equal(page.status, 'ready');
    const messages: unknown = await (await fetch(`${api}/main/messages`)).json();
    const history = await validateUIMessages({ messages });
    deepEqual(
      history.map(({ id }) => id),
      page.messages.map(({ id }) => id),
    );
  } finally {
    await app.close();
  }
}
