// Drives turns against one contestant at a time, from a process of its own, as cheaply as it can.
// Each turn is checked: a wrong one ends the bench.
import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { Pool } from 'undici';
import { FIRST_WORD, LAST_WORD, proofOf, questionFor } from './conversation.mjs';

const HEADERS = { 'content-type': 'application/json', accept: 'text/event-stream' };

/** The forms in which endpoints take a question. */
const BODIES = {
  message: (message) => ({ message }),
  uiMessages: (text) => {
    const id = randomUUID();
    return {
      id,
      trigger: 'submit-message',
      messages: [{ id, role: 'user', parts: [{ type: 'text', text }] }],
    };
  },
};

let nextOrder = 1_000;

process.on('message', (load) => {
  drive(load).then(
    (figures) => process.send({ figures }),
    (error) => process.send({ failure: error.message }),
  );
});
process.on('disconnect', () => process.exit());
process.send({ isReady: true });

async function drive({
  origin,
  path,
  body: form = 'message',
  turns,
  concurrency,
  keepsBody = false,
}) {
  const pool = new Pool(origin, { connections: concurrency });
  const figures = { firstByteMs: [], firstWordMs: [], turnMs: [] };
  let left = turns;
  let body = '';
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      const id = (nextOrder += 1);
      const turn = await takeTurn(pool, path, BODIES[form](questionFor(id)));
      check(turn, id);
      for (const [name, list] of Object.entries(figures)) list.push(turn[name]);
      body = turn.body;
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: concurrency }, worker));
  const elapsedMs = performance.now() - start;
  await pool.close();
  return { ...figures, elapsedMs, ...(keepsBody && { body, proof: proofOf(nextOrder) }) };
}

function takeTurn(pool, path, question) {
  const start = performance.now();
  const chunks = [];
  let firstByteMs;
  let firstWordMs;
  let status;
  return new Promise((resolve, reject) => {
    const handler = {
      onRequestStart: () => undefined,
      onResponseStart: (_controller, statusCode) => (status = statusCode),
      onResponseData: (_controller, chunk) => {
        firstByteMs ??= performance.now() - start;
        if (firstWordMs === undefined && chunk.includes(FIRST_WORD)) {
          firstWordMs = performance.now() - start;
        }
        chunks.push(chunk);
      },
      onResponseEnd: () => {
        const turnMs = performance.now() - start;
        const body = Buffer.concat(chunks).toString();
        resolve({ status, body, firstByteMs, firstWordMs, turnMs });
      },
      onResponseError: (_controller, error) => reject(error),
    };
    const body = JSON.stringify(question);
    pool.dispatch({ method: 'POST', path, headers: HEADERS, body }, handler);
  });
}

/** @throws Error where the answer is not the one that the tool's result leads to */
function check({ status, body }, id) {
  if (status === 200 && body.includes(proofOf(id)) && body.includes(LAST_WORD)) return;
  throw new Error(`A turn went wrong: status ${status}, ${body.slice(-2_000)}`);
}
