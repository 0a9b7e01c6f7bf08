import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Recording } from './recording';

/** How a recorded body is cut on its way. */
export type Cuts = 'whole' | 'cut';

/** Serves one recording at a time, as the service once did. */
export class RecordingServer {
  private readonly server: Server;
  private served: { readonly recording: Recording; readonly cuts: Cuts } | undefined;

  private constructor() {
    this.server = createServer((request, response) => {
      request.resume();
      request.once('end', () => void this.answer(response));
    });
  }

  static async start(): Promise<RecordingServer> {
    const started = new RecordingServer();
    // An idle connection must not close just as it is reused.
    started.server.keepAliveTimeout = 0;
    await new Promise<void>((resolve) => started.server.listen(0, '127.0.0.1', resolve));
    return started;
  }

  /** Serves this recording from now on; resolves with the address. */
  serve(recording: Recording, cuts: Cuts): string {
    this.served = { recording, cuts };
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/${recording.id}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(response: ServerResponse): Promise<void> {
    if (this.served === undefined) throw new Error('Nothing is served yet.');
    const { recording, cuts } = this.served;
    response.writeHead(recording.status, headersOf(recording));
    if (cuts === 'whole') {
      response.end(recording.body);
      return;
    }
    for (const piece of piecesOf(recording)) {
      response.write(piece);
      // One turn of the event loop between pieces keeps them apart.
      await new Promise((resolve) => setImmediate(resolve));
    }
    response.end();
  }
}

export function headersOf({ headers, kind }: Recording): Record<string, string> {
  const isSent = ([name]: [string, string]) => /^(content-type|retry-after|x-should)/.test(name);
  const type = kind === 'sse' ? 'text/event-stream' : 'application/json';
  return { 'content-type': type, ...Object.fromEntries(Object.entries(headers).filter(isSent)) };
}

const MOST_CUTS = 24;

/** The body in pieces of random sizes, the same ones in every run. */
function piecesOf({ id, body }: Recording): readonly Buffer[] {
  let state = parseInt(id.slice(0, 8), 16);
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const cuts = Array.from({ length: MOST_CUTS }, () => Math.floor(next() * body.length));
  const ends = [...cuts.sort((a, b) => a - b), body.length];
  return ends
    .map((end, index) => body.subarray(ends[index - 1] ?? 0, end))
    .filter(({ length }) => length > 0);
}
