import type { JsonObject } from 'nestjs-agent/types';
import { CHAT_FORM } from './chat-conversation';
import { MODELS } from './formats';
import { toolsOf } from './recorded-tools';
import type { Format, Recording } from './recording';
import { FOLDER, recordingsOf } from './recordings';
import { MESSAGES_FORM } from './messages-conversation';
import { RESPONSES_FORM } from './responses-conversation';
import { refusedRequests } from './differences';
import type { SentForm } from './sent-conversation';

const FORMS: Readonly<Record<Format, SentForm>> = {
  anthropic: MESSAGES_FORM,
  openai: CHAT_FORM,
  responses: RESPONSES_FORM,
};

/** Writes every conversation that a service accepted; the result must be acceptable, too. */
export function describeRequests(format: Format): void {
  const recordings = recordingsOf(format);
  const form = FORMS[format];
  if (recordings === undefined) {
    it.skip(`${format}: there are no recorded requests in ${FOLDER}`, () => undefined);
    return;
  }
  const accepted = acceptedOf(format, recordings);
  describe(`${format}, accepted conversations with results`, () => {
    it.each(accepted.map((each) => [`${each.provider} ${each.id}`, each] as const))(
      '%s',
      async (_, recording) => {
        const recorded = recording.request as JsonObject;
        const sent = await requestOf(format, form, recording);
        const isRead = sent !== undefined && isSame(form.normal(sent), form.normal(recorded));
        if (refusedRequests.has(recording.id)) expect(isRead).toBe(false);
        else expect(form.normal(sent ?? {})).toEqual(form.normal(recorded));
      },
    );
  });
}

/** Accepted conversations with tool results, as far as the library's messages can represent them. */
export function acceptedOf(format: Format, recordings: readonly Recording[]): readonly Recording[] {
  return recordings.filter(
    ({ status, request }) =>
      status < 300 &&
      hasResults(request) &&
      FORMS[format].read(request as JsonObject, '') !== undefined,
  );
}

/** The library's request of the same conversation. */
async function requestOf(
  format: Format,
  form: SentForm,
  recording: Recording,
): Promise<JsonObject | undefined> {
  const conversation = form.read(recording.request as JsonObject, 'recorded.example');
  if (conversation === undefined) return undefined;
  let body: string | undefined;
  const capture = ((_: string, init: RequestInit) => {
    body = init.body as string;
    return Promise.resolve(new Response('{}', { status: 400 }));
  }) as unknown as typeof fetch;
  const model = MODELS[format]({
    model: recording.model ?? 'm',
    baseURL: 'https://recorded.example/v1',
    fetch: capture,
  });
  const request = { ...conversation, tools: toolsOf(recording) };
  const { signal } = new AbortController();
  try {
    for await (const event of model.stream(request, { signal })) void event;
  } catch {
    // Nobody answers.
  }
  return body === undefined ? undefined : (JSON.parse(body) as JsonObject);
}

function hasResults(request: Recording['request']): boolean {
  return /"role":\s*"tool"|"function_call_output"|tool_result"/.test(JSON.stringify(request ?? {}));
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
