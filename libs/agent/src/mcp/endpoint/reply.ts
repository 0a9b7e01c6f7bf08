import type { OutgoingHttpHeaders } from 'node:http';
import { FrameWriter } from '../../http/sse';
import type { TakenResponse } from '../../http/wire';
import { wellFormed } from '../../model/history';

const TIMES = {
  /** A slow answer becomes a stream after this time, so that proxies keep the connection. */
  openAfterMs: 10_000,
  /** The time between two comments on a silent stream. */
  heartbeatMs: 15_000,
  /** A client that reads nothing for this time is disconnected. */
  stallMs: 60_000,
};

/** The answer to one request: plain JSON, or an event stream once a message precedes the result. */
export class Reply {
  private readonly stream: FrameWriter;
  private isFinished = false;

  /** @param mayStream whether the client accepts event streams */
  constructor(
    private readonly response: TakenResponse,
    private readonly mayStream: boolean,
  ) {
    this.stream = new FrameWriter(response, TIMES);
  }

  /** Whether messages can precede the result. */
  get canStream(): boolean {
    return this.mayStream && !this.response.isOver;
  }

  /** Turns a slow answer into a stream. */
  openLater(): void {
    if (this.mayStream) this.stream.openAfter(TIMES.openAfterMs);
  }

  /** Opens the stream at once. */
  open(): void {
    if (this.mayStream && !this.isFinished) this.stream.open();
  }

  /** Sends a message before the result; drops it if the client cannot read it now. */
  send(message: object): void {
    this.open();
    if (!this.stream.isOpen || this.isFinished || this.stream.isBlocked) return;
    void this.stream.write(frameOf(message));
  }

  /** Sends the last message. A stream that has begun keeps its status. */
  finish(status: number, message: object, headers: OutgoingHttpHeaders = {}): void {
    if (this.isFinished) return;
    this.isFinished = true;
    if (this.stream.isOpen) void this.stream.write(frameOf(message));
    else {
      const type = { 'content-type': 'application/json; charset=utf-8' };
      this.response.send(status, { ...headers, ...type }, jsonOf(message));
    }
    this.stream.close();
  }

  /** Ends a stream without a result. */
  close(): void {
    this.isFinished = true;
    this.stream.close();
  }
}

function frameOf(message: object): string {
  return `event: message\ndata: ${jsonOf(message)}\n\n`;
}

/** As JSON escapes them; a text that looks like one is replaced by itself. */
const LONE_SURROGATE = /\\ud[89a-f]/;

/** The message as JSON without lone surrogates, which some parsers refuse with all of the message. */
function jsonOf(message: object): string {
  const json = JSON.stringify(message);
  return LONE_SURROGATE.test(json) ? JSON.stringify(wellFormed(message)) : json;
}
