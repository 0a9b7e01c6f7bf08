import {
  AbstractChat,
  type ChatInit,
  type ChatState,
  type ChatStatus,
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  lastAssistantMessageIsCompleteWithToolCalls,
  type UIMessage,
} from 'ai';
import { as } from '../../http/every-endpoint';

/** The state that `useChat` keeps in React. */
export class PlainState implements ChatState<UIMessage> {
  status: ChatStatus = 'ready';
  error: Error | undefined = undefined;

  constructor(public messages: UIMessage[]) {}

  pushMessage = (message: UIMessage): void => {
    this.messages = [...this.messages, message];
  };
  popMessage = (): void => {
    this.messages = this.messages.slice(0, -1);
  };
  replaceMessage = (index: number, message: UIMessage): void => {
    this.messages = this.messages.with(index, this.snapshot(message));
  };
  snapshot = <T>(thing: T): T => structuredClone(thing);
}

export interface ChatOptions extends Partial<ChatInit<UIMessage>> {
  /** The user whose token is sent; none by default. */
  readonly user?: string;
  readonly path?: string;
  readonly body?: object;
}

/** The requests that a page made. */
export interface SentRequest {
  readonly url: string;
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** A page with `useChat`, as the guide sets it up, without React. */
export class Chat extends AbstractChat<UIMessage> {
  readonly posts: SentRequest[] = [];

  constructor(url: string, options: ChatOptions = {}) {
    const { user, path = '/agent/ai-sdk', body, messages = [], ...init } = options;
    const posts: SentRequest[] = [];
    super({
      sendAutomaticallyWhen: (state) =>
        lastAssistantMessageIsCompleteWithToolCalls(state) ||
        lastAssistantMessageIsCompleteWithApprovalResponses(state),
      ...init,
      state: new PlainState(messages),
      transport: new DefaultChatTransport({
        api: `${url}${path}`,
        headers: user === undefined ? {} : as(user),
        ...(body && { body }),
        fetch: async (input, request) => {
          const answer = await fetch(input, request);
          if (request?.method === 'POST') {
            const sent = JSON.parse(request.body as string) as SentRequest['body'];
            posts.push({
              url: (input as URL | string).toString(),
              status: answer.status,
              body: sent,
            });
          }
          return answer;
        },
      }),
    });
    this.posts = posts;
  }

  /** The last answer. */
  get answer(): UIMessage {
    const answer = this.messages.findLast(({ role }) => role === 'assistant');
    if (answer === undefined) throw new Error(`No answer: ${this.error?.message ?? this.status}`);
    return answer;
  }

  /** The texts of the last answer, joined by bars. */
  get text(): string {
    return this.answer.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('|');
  }

  /** The call of a tool in the last answer. */
  call(callId: string): ToolPart {
    const part = this.answer.parts.find(
      (each) => 'toolCallId' in each && each.toolCallId === callId,
    );
    if (part === undefined) throw new Error(`No call ${callId} in the answer.`);
    return part as ToolPart;
  }

  /** Answers an approval, and waits until automatic follow-up requests are answered. */
  async decide(callId: string, approved: boolean, reason?: string): Promise<void> {
    await this.addToolApprovalResponse({ id: callId, approved, ...(reason && { reason }) });
    await this.settled();
  }

  /** Delivers the result of a frontend tool, as `decide` an approval. */
  async deliver(callId: string, tool: string, output: unknown): Promise<void> {
    await this.addToolOutput({ tool, toolCallId: callId, output });
    await this.settled();
  }

  /** Resolves once no request is under way. */
  async settled(): Promise<void> {
    do await new Promise((resolve) => setImmediate(resolve));
    while (this.status === 'submitted' || this.status === 'streaming');
  }
}

export interface ToolPart {
  readonly type: string;
  readonly toolCallId: string;
  readonly state: string;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly errorText?: string;
  readonly providerExecuted?: boolean;
  readonly approval?: Readonly<Record<string, unknown>>;
}
