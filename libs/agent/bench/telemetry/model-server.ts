// A provider in a separate process, for benchmarks: it streams a hundred words in ten pieces, the
// first time with a call of the tool `add`. Sends its address to its parent.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { endOf, frame } from '../support/model-frames';

const PIECES = 10;
const WORDS = 10;
let calls = 0;

const server = createServer((request, response) => {
  const body: Buffer[] = [];
  request.on('data', (chunk: Buffer) => body.push(chunk));
  request.on('end', () => {
    const asked = Buffer.concat(body).toString();
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
      response.end(endOf(asked, `call_${(calls += 1)}`));
    };
    write();
  });
});
server.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
});
process.on('disconnect', () => process.exit());
