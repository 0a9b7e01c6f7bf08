import {
  Client,
  StreamableHTTPClientTransport,
  type CallToolResult,
  type RequestOptions,
} from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';

/** What the user of a host does when the host asks for approval. */
export type ElicitationAnswer = 'accept' | 'decline';

export interface ClientSettings {
  /** The user's name, sent as the bearer token. */
  readonly user?: string;
  /** Without an answer, the client does not support elicitation. */
  readonly answers?: ElicitationAnswer;
  /** Receives the question that precedes an answer. */
  readonly onQuestion?: (message: string) => void;
  /** Called when the server reports that its tools changed. */
  readonly onToolsChanged?: () => void;
  /** Called when the stream is open on which the server reports changes. */
  readonly onListening?: () => void;
}

type Shared = Pick<
  Client,
  | 'listTools'
  | 'listResources'
  | 'listResourceTemplates'
  | 'readResource'
  | 'listPrompts'
  | 'getPrompt'
  | 'complete'
  | 'getServerVersion'
  | 'getInstructions'
  | 'close'
>;

/** A connected client of one of the official packages. */
export interface McpClient extends Shared {
  call(
    name: string,
    args?: Record<string, unknown>,
    options?: RequestOptions,
  ): Promise<CallToolResult>;
}

export interface McpClientKind {
  readonly name: string;
  readonly isModern: boolean;
  connect(url: string, settings?: ClientSettings): Promise<McpClient>;
}

const IDENTITY = { name: 'test-client', version: '1.0.0' };

export const MCP_CLIENTS: readonly McpClientKind[] = [
  { name: 'client 2 modern', isModern: true, connect: secondClient('auto') },
  { name: 'client 2 legacy', isModern: false, connect: secondClient('legacy') },
  { name: 'SDK 1.32', isModern: false, connect: connectFirst },
];

function secondClient(mode: 'auto' | 'legacy'): McpClientKind['connect'] {
  return async (url, settings = {}) => {
    const { answers } = settings;
    const client = new Client(IDENTITY, {
      versionNegotiation: { mode },
      capabilities: { ...(answers && { elicitation: {} }) },
      ...listChangedOf(settings),
    });
    if (answers) {
      client.setRequestHandler('elicitation/create', ({ params }) => answerOf(params, settings));
    }
    await client.connect(new StreamableHTTPClientTransport(new URL(url), requestOf(settings)));
    return withCall(client, (params, options) => client.callTool(params, options));
  };
}

async function connectFirst(url: string, settings: ClientSettings = {}): Promise<McpClient> {
  const { answers } = settings;
  const client = new FirstClient(IDENTITY, {
    capabilities: { ...(answers && { elicitation: {} }) },
    ...listChangedOf(settings),
  });
  if (answers) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => answerOf(params, settings));
  }
  await client.connect(new FirstTransport(new URL(url), requestOf(settings)));
  return withCall(
    client as unknown as Shared,
    (params, options) => client.callTool(params, undefined, options) as Promise<CallToolResult>,
  );
}

function withCall(
  client: Shared,
  call: (
    params: { readonly name: string; readonly arguments?: Record<string, unknown> },
    options?: RequestOptions,
  ) => Promise<CallToolResult>,
): McpClient {
  return Object.assign(client, {
    call: (name: string, args?: Record<string, unknown>, options?: RequestOptions) =>
      call({ name, ...(args && { arguments: args }) }, options),
  });
}

function listChangedOf({ onToolsChanged }: ClientSettings) {
  if (onToolsChanged === undefined) return {};
  const tools = { autoRefresh: false, debounceMs: 0, onChanged: onToolsChanged };
  return { listChanged: { tools } };
}

function requestOf({ user, onListening }: ClientSettings) {
  return {
    ...(user !== undefined && { requestInit: { headers: { authorization: `Bearer ${user}` } } }),
    ...(onListening && { fetch: noticingStreams(onListening) }),
  };
}

/** Older clients open their stream some time after they connected. */
function noticingStreams(onListening: () => void) {
  return async (url: string | URL, init?: RequestInit): Promise<Response> => {
    const response = await fetch(url, init);
    const isSubscription =
      typeof init?.body === 'string' && init.body.includes('subscriptions/listen');
    if (response.ok && (init?.method === 'GET' || isSubscription)) onListening();
    return response;
  };
}

function answerOf(
  { message }: { readonly message: string },
  { answers = 'decline', onQuestion }: ClientSettings,
) {
  onQuestion?.(message);
  return answers === 'accept'
    ? { action: answers, content: { approve: true } }
    : { action: answers };
}

/** All tools over all pages. */
export async function allToolsOf(client: McpClient): Promise<readonly string[]> {
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listTools(cursor === undefined ? undefined : { cursor });
    names.push(...page.tools.map(({ name }) => name));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return names;
}

/** The text of a result's first block. */
export function textOfResult({ content }: CallToolResult): string {
  const [block] = content;
  return block?.type === 'text' ? block.text : '';
}
