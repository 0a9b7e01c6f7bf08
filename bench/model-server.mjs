// A scripted model behind OpenAI's Chat Completions: first one tool call, then the answer. It
// refuses a request that is not what the turn should send. Each event is a write of its own.
import { createServer } from 'node:http';
import { answerTo, orderIn, proofOf } from './conversation.mjs';
import { MODEL, parcelOf, TOOL_NAME } from './shop.cjs';

const CREATED = 1_767_225_600;
const USAGE = { prompt_tokens: 180, completion_tokens: 100, total_tokens: 280 };

/** Milliseconds between two events; with none they follow each other without a rest. */
let paceMs = 0;
/** How many words the answer has; those of the whole text by default. */
let words;

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    try {
      const events = eventsFor(JSON.parse(Buffer.concat(chunks).toString()));
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
      write(response, events, 0);
    } catch (error) {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: error.message, type: 'script' } }));
    }
  });
});

server.keepAliveTimeout = 600_000;
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.on('message', (message) => {
  ({ paceMs, words } = message);
  process.send({ paceMs });
});
process.on('disconnect', () => process.exit());

function write(response, events, at) {
  if (response.destroyed) return;
  if (at === events.length - 1) {
    response.end(events[at]);
    return;
  }
  response.write(events[at]);
  const next = () => write(response, events, at + 1);
  if (paceMs > 0) setTimeout(next, paceMs);
  else setImmediate(next);
}

/** @throws Error where the request is not the turn's first or second one */
function eventsFor({ model, stream, messages, tools, stream_options: streamOptions }) {
  if (model !== MODEL || stream !== true) throw new Error('No streamed request for the model.');
  if (tools?.[0]?.function?.name !== TOOL_NAME) throw new Error('The tool is not offered.');
  if (messages[0].role !== 'system') throw new Error('The system prompt is missing.');
  const id = orderIn(textOf(messages.find(({ role }) => role === 'user')));
  const callId = `call_${id}`;
  const last = messages.at(-1);
  const usage = streamOptions?.include_usage === true ? [chunk(undefined, USAGE)] : [];
  if (last.role === 'user') return [...toolCall(callId, id), ...usage, 'data: [DONE]\n\n'];
  if (last.tool_call_id !== callId || !textOf(last).includes(`"${parcelOf(id)}"`)) {
    throw new Error(`The tool's result is not in the request: ${textOf(last)}`);
  }
  return [...answer(proofOf(id)), ...usage, 'data: [DONE]\n\n'];
}

/** A message's text, possibly split into parts; a part may itself be JSON in a string. */
function textOf({ content }) {
  if (typeof content === 'string') return content;
  return content.map(({ text }) => text).join('');
}

function toolCall(callId, id) {
  const fragments = JSON.stringify({ id }).match(/.{1,2}/g);
  const named = { id: callId, type: 'function', function: { name: TOOL_NAME, arguments: '' } };
  return [
    chunk({ role: 'assistant', content: null, tool_calls: [{ index: 0, ...named }] }),
    ...fragments.map((fragment) =>
      chunk({ tool_calls: [{ index: 0, function: { arguments: fragment } }] }),
    ),
    chunk({}, undefined, 'tool_calls'),
  ];
}

function answer(proof) {
  return [
    chunk({ role: 'assistant', content: '' }),
    ...answerTo(proof, words).map((content) => chunk({ content })),
    chunk({}, undefined, 'stop'),
  ];
}

/** One event with the fields that OpenAI's have. */
function chunk(delta, usage = null, finishReason = null) {
  const choice = { index: 0, delta, logprobs: null, finish_reason: finishReason };
  const event = {
    id: 'chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT',
    object: 'chat.completion.chunk',
    created: CREATED,
    model: MODEL,
    service_tier: 'default',
    system_fingerprint: 'fp_44709d6fcb',
    choices: delta === undefined ? [] : [choice],
    usage,
  };
  return `data: ${JSON.stringify(event)}\n\n`;
}
