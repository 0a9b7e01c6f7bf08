// The cost of a delta of a model's answer: the Responses API beside Chat Completions, in one run.
import { Readable } from 'node:stream';
import { openai } from '../../src/model';
import type { ChatModel } from '../../src/model';
import { median } from '../support/by-turns';
import { cpuMicros } from '../support/cpu-time';

const DELTAS = 2_000;
const ANSWERS = 10;
const ROUNDS = 9;
/** The number of bytes that arrive at once on a fast connection. */
const CHUNK_BYTES = 1_400;

function frame(value: object, event?: string): string {
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(value)}\n\n`;
}

/** The fields that OpenAI's own service sends with every delta. */
function chatAnswer(): string {
  const chunk = (delta: object, finish_reason: string | null = null) =>
    frame({
      id: 'chatcmpl-Cxc9Rr7xSrEtVgoph8jxJl7twoiid',
      object: 'chat.completion.chunk',
      created: 1_768_324_041,
      model: 'gpt-4o-mini-2024-07-18',
      service_tier: 'default',
      system_fingerprint: 'fp_29330a9688',
      choices: [{ index: 0, delta, logprobs: null, finish_reason }],
      usage: null,
      obfuscation: 'EVikkqZ9g7g',
    });
  const deltas = Array.from({ length: DELTAS }, () => chunk({ content: ' word' }));
  return [...deltas, chunk({}, 'stop'), 'data: [DONE]\n\n'].join('');
}

function responsesAnswer(): string {
  const type = 'response.output_text.delta';
  const deltas = Array.from({ length: DELTAS }, (_, index) =>
    frame(
      {
        type,
        sequence_number: index,
        item_id: 'msg_0434d6d64b12b08900692f639dc53c819594ea97586113d73b',
        output_index: 0,
        content_index: 0,
        delta: ' word',
        logprobs: [],
        obfuscation: 'EVikkqZ9g7g',
      },
      type,
    ),
  );
  const response = { status: 'completed', output: [] };
  const end = 'response.completed';
  return [...deltas, frame({ type: end, response }, end)].join('');
}

function answering(api: 'chat' | 'responses', body: string): ChatModel {
  const bytes = Buffer.from(body);
  const chunks = Array.from({ length: Math.ceil(bytes.length / CHUNK_BYTES) }, (_, index) =>
    bytes.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES),
  );
  const answer = () => ({
    ok: true,
    status: 200,
    url: 'http://127.0.0.1',
    headers: new Headers(),
    body: Readable.from(chunks),
  });
  const fetching = () => Promise.resolve(answer() as unknown as Response);
  return openai({ model: 'm', apiKey: 'k', baseURL: 'http://127.0.0.1', api, fetch: fetching });
}

async function read(model: ChatModel): Promise<void> {
  const { signal } = new AbortController();
  let count = 0;
  for await (const event of model.stream({ messages: [], tools: [] }, { signal })) {
    if (event.type === 'text.delta') count += 1;
  }
  if (count !== DELTAS) throw new Error(`${count} deltas came instead of ${DELTAS}.`);
}

async function main(): Promise<void> {
  const chat = answering('chat', chatAnswer());
  const responses = answering('responses', responsesAnswer());
  await cpuMicros(ANSWERS, () => read(chat));
  await cpuMicros(ANSWERS, () => read(responses));
  const rounds: { readonly chat: number; readonly responses: number }[] = [];
  // By turns, so that other work on the machine affects both.
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.push({
      chat: (await cpuMicros(ANSWERS, () => read(chat))) / DELTAS,
      responses: (await cpuMicros(ANSWERS, () => read(responses))) / DELTAS,
    });
  }
  const chatMicros = median(rounds.map((round) => round.chat));
  const responsesMicros = median(rounds.map((round) => round.responses));
  const ratio = median(rounds.map((round) => round.responses / round.chat));
  process.stdout.write(
    [
      `a delta of Chat Completions    ${chatMicros.toFixed(2)} µs CPU`,
      `a delta of the Responses API   ${responsesMicros.toFixed(2)} µs CPU`,
      `  beside Chat Completions      ${ratio.toFixed(2)} (bound: 1)`,
      '',
    ].join('\n'),
  );
}

void main();
