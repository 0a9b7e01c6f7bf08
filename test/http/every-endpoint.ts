import request, { type Response } from 'supertest';
import type { ScriptedStep } from 'nestjs-agent/testing';

/** The requesting user: the bearer token of `BearerGuard` is the user's name. */
export const as = (user: string): Record<string, string> => ({ authorization: `Bearer ${user}` });

/** A request to one endpoint, for a session and run of the same caller. */
export interface AskedEndpoint {
  readonly name: string;
  /** The answer without interference by the application. */
  readonly status: number;
  readonly mediaType?: RegExp;
  /** Whether all users get the same answer. */
  readonly isPublic?: boolean;
  ask(of: Conversation): Promise<Response>;
}

/** A caller's session and run, for requests to the endpoints. */
export interface Conversation {
  readonly url: string;
  readonly user: string;
  readonly sessionId: string;
  readonly runId: string;
}

const JSON_TYPE = /^application\/json/;
const SSE_TYPE = /^text\/event-stream/;

type Path = string | ((of: Conversation) => string | Promise<string>);

const pathIn = async (of: Conversation, path: Path): Promise<string> =>
  typeof path === 'string' ? path : path(of);
const get =
  (path: Path) =>
  async (of: Conversation): Promise<Response> =>
    request(of.url)
      .get(await pathIn(of, path))
      .set(as(of.user));
const remove =
  (path: Path) =>
  async (of: Conversation): Promise<Response> =>
    request(of.url)
      .delete(await pathIn(of, path))
      .set(as(of.user));
const post =
  (path: Path, body: (of: Conversation) => object = () => ({})) =>
  async (of: Conversation): Promise<Response> =>
    request(of.url)
      .post(await pathIn(of, path))
      .set(as(of.user))
      .send(body(of));

const answerOf = async ({ url, user }: Conversation): Promise<string> => {
  const { body } = await request(url).post('/agent/v1/responses').set(as(user)).send(question);
  return (body as { id: string }).id;
};

const question = { model: 'agent', input: 'hi' };
const completion = { model: 'agent', messages: [{ role: 'user', content: 'hi' }] };

const agUiInput = { runId: 'run', messages: [{ id: 'ag-ui', role: 'user', content: 'hi' }] };

/** Every endpoint of the agent at `/agent`; those that delete the session come last. */
export const EVERY_ENDPOINT: readonly AskedEndpoint[] = [
  {
    name: 'GET /health',
    status: 200,
    mediaType: JSON_TYPE,
    isPublic: true,
    ask: get('/agent/health'),
  },
  {
    name: 'GET /ui',
    status: 200,
    mediaType: /^text\/html/,
    isPublic: true,
    ask: get('/agent/ui'),
  },
  {
    name: 'GET /ui/sidebar',
    status: 200,
    mediaType: /^text\/html/,
    isPublic: true,
    ask: get('/agent/ui/sidebar'),
  },
  {
    name: 'GET /ui/agent-chat.js',
    status: 200,
    mediaType: /javascript/,
    isPublic: true,
    ask: get('/agent/ui/agent-chat.js'),
  },
  {
    name: 'GET /tools',
    status: 200,
    mediaType: JSON_TYPE,
    ask: get('/agent/tools'),
  },
  {
    name: 'GET /tools/:name',
    status: 200,
    mediaType: JSON_TYPE,
    ask: get('/agent/tools/add'),
  },
  {
    name: 'GET /sessions',
    status: 200,
    mediaType: JSON_TYPE,
    ask: get('/agent/sessions'),
  },
  {
    name: 'POST /sessions',
    status: 200,
    mediaType: JSON_TYPE,
    ask: post('/agent/sessions'),
  },
  {
    name: 'GET /sessions/:id/messages',
    status: 200,
    mediaType: JSON_TYPE,
    ask: get(({ sessionId }) => `/agent/sessions/${sessionId}/messages`),
  },
  {
    name: 'GET /runs/:runId',
    status: 200,
    mediaType: JSON_TYPE,
    ask: get(({ runId }) => `/agent/runs/${runId}`),
  },
  {
    name: 'GET /runs/:runId/events',
    status: 200,
    mediaType: SSE_TYPE,
    ask: get(({ runId }) => `/agent/runs/${runId}/events`),
  },
  {
    name: 'DELETE /runs/:runId',
    status: 200,
    mediaType: JSON_TYPE,
    ask: remove(({ runId }) => `/agent/runs/${runId}`),
  },
  {
    name: 'POST /runs/:runId/actions',
    status: 409,
    mediaType: JSON_TYPE,
    ask: post(
      ({ runId }) => `/agent/runs/${runId}/actions`,
      () => ({ actions: [{ callId: 'call_1', type: 'approve' }] }),
    ),
  },
  {
    name: 'POST /chat',
    status: 200,
    mediaType: JSON_TYPE,
    ask: post('/agent/chat', ({ sessionId }) => ({ message: 'hi', sessionId })),
  },
  {
    name: 'POST /chat/stream',
    status: 200,
    mediaType: SSE_TYPE,
    ask: post('/agent/chat/stream', ({ sessionId }) => ({ message: 'hi', sessionId })),
  },
  {
    name: 'POST /chat/tool-result',
    status: 200,
    mediaType: JSON_TYPE,
    ask: post('/agent/chat/tool-result', ({ sessionId }) => ({
      sessionId,
      callId: 'call_1',
      result: 1,
    })),
  },
  {
    name: 'POST /ai-sdk',
    status: 200,
    mediaType: SSE_TYPE,
    ask: post('/agent/ai-sdk', ({ sessionId }) => ({
      id: sessionId,
      message: { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'hi' }] },
    })),
  },
  {
    name: 'GET /ai-sdk/:id/stream',
    status: 204,
    ask: get(({ sessionId }) => `/agent/ai-sdk/${sessionId}/stream`),
  },
  {
    name: 'GET /ai-sdk/:id/messages',
    status: 200,
    mediaType: JSON_TYPE,
    ask: get(({ sessionId }) => `/agent/ai-sdk/${sessionId}/messages`),
  },
  {
    name: 'DELETE /ai-sdk/:id/stream',
    status: 204,
    ask: remove(({ sessionId }) => `/agent/ai-sdk/${sessionId}/stream`),
  },
  {
    name: 'GET /v1/models',
    status: 200,
    mediaType: JSON_TYPE,
    ask: get('/agent/v1/models'),
  },
  {
    name: 'GET /v1/models/:model',
    status: 200,
    mediaType: JSON_TYPE,
    ask: get('/agent/v1/models/agent'),
  },
  {
    name: 'POST /v1/chat/completions',
    status: 200,
    mediaType: JSON_TYPE,
    ask: post('/agent/v1/chat/completions', () => completion),
  },
  {
    name: 'POST /v1/chat/completions, streaming',
    status: 200,
    mediaType: SSE_TYPE,
    ask: post('/agent/v1/chat/completions', () => ({ ...completion, stream: true })),
  },
  {
    name: 'POST /ag-ui',
    status: 200,
    mediaType: SSE_TYPE,
    ask: post('/agent/ag-ui', ({ sessionId }) => ({ ...agUiInput, threadId: sessionId })),
  },
  {
    name: 'GET /ag-ui/capabilities',
    status: 200,
    mediaType: JSON_TYPE,
    ask: get('/agent/ag-ui/capabilities'),
  },
  {
    name: 'GET /ag-ui/:threadId/messages',
    status: 200,
    mediaType: JSON_TYPE,
    ask: get(({ sessionId }) => `/agent/ag-ui/${sessionId}/messages`),
  },
  {
    name: 'DELETE /ag-ui/:threadId/run',
    status: 204,
    ask: remove(({ sessionId }) => `/agent/ag-ui/${sessionId}/run`),
  },
  {
    name: 'POST /v1/responses',
    status: 200,
    mediaType: JSON_TYPE,
    ask: post('/agent/v1/responses', () => question),
  },
  {
    name: 'POST /v1/responses, streaming',
    status: 200,
    mediaType: SSE_TYPE,
    ask: post('/agent/v1/responses', () => ({ ...question, stream: true })),
  },
  {
    name: 'GET /v1/responses/:id',
    status: 200,
    mediaType: JSON_TYPE,
    ask: get(async (of) => `/agent/v1/responses/${await answerOf(of)}`),
  },
  {
    name: 'POST /v1/responses/:id/cancel',
    status: 200,
    mediaType: JSON_TYPE,
    ask: post(async (of) => `/agent/v1/responses/${await answerOf(of)}/cancel`),
  },
  {
    name: 'DELETE /v1/responses/:id',
    status: 200,
    mediaType: JSON_TYPE,
    ask: remove(async (of) => `/agent/v1/responses/${await answerOf(of)}`),
  },
  {
    name: 'DELETE /sessions/:id/permissions/:tool',
    status: 204,
    ask: remove(({ sessionId }) => `/agent/sessions/${sessionId}/permissions/add`),
  },
  {
    name: 'DELETE /sessions/:id',
    status: 204,
    ask: remove(({ sessionId }) => `/agent/sessions/${sessionId}`),
  },
];

/** Enough answers of the model for one caller to ask every endpoint once. */
export const STEPS: readonly ScriptedStep[] = Array.from(
  { length: EVERY_ENDPOINT.length + 1 },
  (_, at) => `Answer ${at}.`,
);

/** A first message of a caller, so that there is a session and a run. */
export async function converse(url: string, user: string): Promise<Conversation> {
  const { body } = await request(url).post('/agent/chat').set(as(user)).send({ message: 'hi' });
  const { sessionId, runId } = body as { sessionId: string; runId: string };
  return { url, user, sessionId, runId };
}
