import { answerTo } from '../conversation.mjs';

/**
 * Reads one whole answer as the contestant's own clients would.
 *
 * @throws Error if its deltas differ from the model's
 */
export async function checkAnswer(contestant, client) {
  const load = { turns: 1, concurrency: 1, keepsBody: true };
  const { body, proof } = await contestant.take(client, load);
  const events = [...body.matchAll(/^data: (\{.*\})$/gm)].map(([, data]) => JSON.parse(data));
  const deltas = events.map(contestant.entry.text).filter((text) => text !== '');
  if (JSON.stringify(deltas) === JSON.stringify(answerTo(proof))) return;
  throw new Error(`${contestant.entry.key} answers otherwise: ${JSON.stringify(deltas)}`);
}
