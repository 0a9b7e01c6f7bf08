import OpenAI, { type APIError } from 'openai';
import type {
  Response,
  ResponseInputItem,
  ResponseOutputItem,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses';
import { type AgentApp, type AgentAppOptions, Closers } from '../../http/agent-app';

export interface ResponsesApp extends AgentApp {
  /** Logged in as alice. */
  readonly client: OpenAI;
  /** A client of another user; without a user by default. */
  connect(user?: string, sessionId?: string): OpenAI;
}

/** Applications that speak Responses, for the client of OpenAI. */
export class ResponsesApps extends Closers {
  async serve({ prefix = '', ...options }: AgentAppOptions & { readonly prefix?: string } = {}) {
    const opened = await this.open(options);
    const connect = (user = '', sessionId?: string): OpenAI =>
      new OpenAI({
        baseURL: `${opened.url}${prefix}/agent/v1`,
        apiKey: user || 'none',
        maxRetries: 0,
        defaultHeaders: {
          ...(user === '' && { authorization: null }),
          ...(sessionId !== undefined && { 'x-agent-session': sessionId }),
        },
      });
    const app: ResponsesApp = { ...opened, client: connect('alice'), connect };
    return app;
  }
}

export interface Streamed {
  readonly events: readonly ResponseStreamEvent[];
  readonly types: readonly string[];
  /** The response of the last event, with the text that the client assembled. */
  readonly response: Response;
}

type Body = Omit<OpenAI.Responses.ResponseCreateParamsNonStreaming, 'stream'>;

/** Requests a stream; checks that its pieces add up to the response of the last event. */
export async function streamed(client: OpenAI, body: Body): Promise<Streamed> {
  const events: ResponseStreamEvent[] = [];
  const stream = client.responses.stream(body as never);
  for await (const event of stream) events.push(event);
  const pieced = await stream.finalResponse();
  const last = events.at(-1);
  if (last === undefined || !('response' in last)) throw new Error('The stream has no end.');
  expect(pieced).toMatchObject({ id: last.response.id, status: last.response.status });
  const response = { ...last.response, output_text: pieced.output_text };
  expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, at) => at));
  expect(events.slice(0, 2).map(({ type }) => type)).toEqual([
    'response.created',
    'response.in_progress',
  ]);
  expectWholeItems(events, response);
  return { events, types: events.map(({ type }) => type), response };
}

/** Every item of the final response was added once, and was done as it is there. */
function expectWholeItems(events: readonly ResponseStreamEvent[], { output }: Response): void {
  const began = events.filter(({ type }) => type === 'response.output_item.added');
  const ended = new Map(
    events.flatMap((event) =>
      event.type === 'response.output_item.done' ? [[event.output_index, event.item] as const] : [],
    ),
  );
  expect(began).toHaveLength(output.length);
  expect([...ended].sort(([a], [b]) => a - b).map(([, { id }]) => id)).toEqual(
    output.map(({ id }) => id),
  );
  for (const [index, item] of ended) expect(output[index]).toMatchObject({ ...item });
}

/** The items of one type. */
export function itemsOf<Type extends ResponseOutputItem['type']>(
  { output }: Pick<Response, 'output'>,
  type: Type,
): readonly Extract<ResponseOutputItem, { type: Type }>[] {
  return output.filter((item) => item.type === type) as never;
}

export function typesOf({ output }: Pick<Response, 'output'>): readonly string[] {
  return output.map(({ type }) => type);
}

/** What a user sends on an approval request. */
export function decision(id: string | undefined, approve: boolean): ResponseInputItem {
  return { type: 'mcp_approval_response', approval_request_id: id ?? 'none', approve };
}

/** The request for an approval, the only one there is. */
export function asked(response: Pick<Response, 'output'>): ResponseOutputItem.McpApprovalRequest {
  const [request, ...more] = itemsOf(response, 'mcp_approval_request');
  if (request === undefined || more.length > 0) throw new Error('Expected one approval request.');
  return request;
}

/** The message of the client's error. */
export async function refusal(asking: PromiseLike<unknown>): Promise<APIError> {
  try {
    await asking;
  } catch (error) {
    if (error instanceof OpenAI.APIError) return error;
    throw error;
  }
  throw new Error('Expected a refusal.');
}

export const PAGE_TITLE_TOOL: OpenAI.Responses.FunctionTool = {
  type: 'function',
  name: 'page-title',
  description: 'The title of the page the user looks at',
  parameters: { type: 'object', properties: { deep: { type: 'boolean' } } },
  strict: false,
};

/** The tool's name for the model. */
export const pageTitleName = /^page_title_[0-9a-f]{8}$/;
