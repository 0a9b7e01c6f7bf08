// A model and its reader in one process: the model sends its next words only when the reader has
// got the last ones. So a server reads and writes the same pieces, however slow it is.
import { createServer, type IncomingMessage, request, Agent } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { endOf, frame } from './model-frames';

const PIECES = 10;
const WORDS = 10;

export class Lockstep {
  private readonly agent = new Agent({ keepAlive: true });
  private readonly server = createServer((received, response) => {
    void text(received).then(async (body) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (let word = 0; word < PIECES * WORDS; word += WORDS) {
        const words = Array.from({ length: WORDS }, (_, at) => `word ${word + at} `);
        response.write(words.map((content) => frame({ content })).join(''));
        await this.read(words.at(-1) ?? '');
      }
      response.end(endOf(body, 'call_1'));
    });
  });
  private awaited: { readonly words: string; readonly done: () => void } | undefined;

  /** The address of the model. */
  async listen(): Promise<string> {
    this.server.keepAliveTimeout = 0;
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  /** Streamed turns, one after another, each in a new session. */
  async turns(url: string, count: number): Promise<void> {
    for (let turn = 0; turn < count; turn += 1) {
      const sending = request(`${url}/agent/chat/stream`, {
        method: 'POST',
        agent: this.agent,
        headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      });
      sending.end(JSON.stringify({ message: 'Tell me what happened today.' }));
      const [response] = (await once(sending, 'response')) as [IncomingMessage];
      let answer = '';
      for await (const chunk of response.setEncoding('utf8')) {
        answer += String(chunk);
        if (this.awaited === undefined || !answer.includes(this.awaited.words)) continue;
        this.awaited.done();
        this.awaited = undefined;
        answer = '';
      }
      if (!answer.includes('run.finished')) throw new Error(`The answer ended with ${answer}`);
    }
  }

  close(): void {
    this.agent.destroy();
    this.server.close();
  }

  private read(words: string): Promise<void> {
    return new Promise((done) => (this.awaited = { words, done }));
  }
}
