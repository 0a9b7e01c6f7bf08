import type { EvaluatedAgent } from '../evals';
import { SESSION_HEADER } from '../http/options';
import { jsonIn } from '../internal';
import type { ChatAction, ChatInput, ChatOptions, ChatResult, ResumeOptions } from '../run';

/** An agent behind its own endpoints: its guards decide about each caller, as for any client. */
export class HttpAgent implements EvaluatedAgent {
  /** @param base the address of the agent's endpoints */
  constructor(private readonly base: string) {}

  chat(input: ChatInput, options: ChatOptions = {}): Promise<ChatResult> {
    return this.send('POST', '/chat', options, input);
  }

  resolve(
    runId: string,
    actions: readonly ChatAction[],
    options: ResumeOptions = {},
  ): Promise<ChatResult> {
    return this.send('POST', `/runs/${encodeURIComponent(runId)}/actions`, options, { actions });
  }

  cancel(runId: string, options: ResumeOptions = {}): Promise<ChatResult> {
    return this.send('DELETE', `/runs/${encodeURIComponent(runId)}`, options);
  }

  private async send(
    method: string,
    path: string,
    { request, sessionId, signal }: ResumeOptions,
    body?: object,
  ): Promise<ChatResult> {
    const { headers = {} } = (request ?? {}) as { headers?: Record<string, string> };
    const response = await fetch(this.base + path, {
      method,
      headers: {
        ...headers,
        ...(sessionId !== undefined && { [SESSION_HEADER]: sessionId }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
      redirect: 'error',
    });
    const text = await response.text();
    const answer = jsonIn(text);
    if (response.ok && isResult(answer)) return answer;
    const { message = text.slice(0, 200) } = (answer ?? {}) as { message?: unknown };
    const said = typeof message === 'string' ? message : JSON.stringify(message);
    throw new Error(`${method} ${this.base}${path} answered ${response.status}: ${said}`);
  }
}

function isResult(answer: unknown): answer is ChatResult {
  return typeof answer === 'object' && answer !== null && 'toolCalls' in answer;
}
