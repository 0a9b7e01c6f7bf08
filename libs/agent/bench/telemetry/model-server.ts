// A provider in a separate process, for benchmarks: it streams a hundred words in ten pieces, the
// first time with a call of the tool `add`. Sends its address to its parent.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const PIECES = 10;
const WORDS = 10;
let calls = 0;

function frame(delta: object, finish_reason: string | null = null): string {
  const chunk = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'wordy' };
  return `data: ${JSON.stringify({ ...chunk, choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
}

const USAGE = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

const server = createServer((request, response) => {
  const body: Buffer[] = [];
  request.on('data', (chunk: Buffer) => body.push(chunk));
  request.on('end', () => {
    const isAnswered = Buffer.concat(body).includes('"role":"tool"');
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    let piece = 0;
    const write = (): void => {
      if (piece < PIECES) {
        const words = Array.from({ length: WORDS }, (_, word) =>
          frame({ content: `word ${piece * WORDS + word} ` }),
        );
        response.write(words.join(''));
        piece += 1;
        setTimeout(write, 1);
        return;
      }
      const call = { index: 0, id: `call_${(calls += 1)}`, type: 'function' };
      const add = { ...call, function: { name: 'add', arguments: '{"a":1,"b":2}' } };
      const end = isAnswered
        ? frame({}, 'stop')
        : frame({ tool_calls: [add] }) + frame({}, 'tool_calls');
      const usage = `data: ${JSON.stringify({ choices: [], usage: USAGE })}\n\n`;
      response.end(`${end}${usage}data: [DONE]\n\n`);
    };
    write();
  });
});
server.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
});
process.on('disconnect', () => process.exit());
