import { Readable } from 'node:stream';
import { headersOf } from './recording.server';
import type { Recording } from './recording';

const AT_ONCE = 1_024;

/** A `fetch` that answers with the recording byte by byte. In memory: over HTTP it would take hours. */
export function singleBytes(recording: Recording): typeof fetch {
  const { status, body } = recording;
  const answer = () => ({
    ok: status < 300,
    status,
    url: 'http://127.0.0.1/recorded',
    headers: new Headers(headersOf(recording)),
    body: bytesOf(body),
  });
  return () => Promise.resolve(answer() as unknown as Response);
}

function bytesOf(body: Buffer): Readable {
  let at = 0;
  return new Readable({
    read() {
      const end = Math.min(at + AT_ONCE, body.length);
      while (at < end) {
        at += 1;
        this.push(body.subarray(at - 1, at));
      }
      if (at === body.length) this.push(null);
    },
  });
}
