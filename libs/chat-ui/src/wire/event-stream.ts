/** The server sends something at least every 15 seconds; after three missed ones the connection is dead. */
const SILENCE_MS = 45_000;

/**
 * The data of a stream's events, as they arrive. Rejects if the connection breaks or goes silent.
 * Follows https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation;
 * each event's data contains its type, its number and everything else.
 */
export async function* dataOf(
  body: ReadableStream<Uint8Array>,
  silenceMs = SILENCE_MS,
): AsyncGenerator<string, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  let data: string[] = [];
  try {
    for (;;) {
      const { done, value } = await orSilence(reader.read(), silenceMs);
      if (done) return;
      // A carriage return at the end may be the first half of a line's end.
      const lines = (rest + decoder.decode(value, { stream: true })).split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const [, text] = /^data(?:: ?|$)(.*)/s.exec(line) ?? [];
        if (text !== undefined) data.push(text);
        if (line !== '') continue;
        if (data.length > 0) yield data.join('\n');
        data = [];
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function orSilence<T>(promise: Promise<T>, silenceMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The connection fell silent.')), silenceMs);
    void promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
