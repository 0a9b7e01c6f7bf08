import { checkAnswer } from './check.mjs';
import { Child } from './child.mjs';
import { Contestant } from './contestant.mjs';
import { LOADS } from './loads.mjs';

/**
 * Runs all contestants against one model, a few turns of each in every round, so that other load on
 * the machine affects them equally.
 *
 * @param pairs each contestant's entry with a version of Node
 * @returns for each contestant the measurements of every start, every round and the end
 */
export async function measure(pairs, size, say) {
  const model = new Child('model-server.mjs');
  const client = new Child('client.mjs');
  const results = [];
  try {
    const { port } = await model.next();
    const modelUrl = `http://127.0.0.1:${port}/v1`;
    await client.next();
    say('starting');
    await startAll(pairs, modelUrl, size.starts, results);
    for (const { contestant } of results) {
      await checkAnswer(contestant, client);
      await contestant.take(client, { turns: size.warmTurns, concurrency: 16 });
    }
    for (let round = 0; round < size.rounds; round += 1) {
      say(`round ${round + 1} of ${size.rounds}`);
      await takeRound(rotated(results, round), model, client, size);
    }
    for (const result of results) result.memory = await result.contestant.memory();
    return results;
  } finally {
    await Promise.all(results.map(({ contestant }) => contestant.stop()));
    await Promise.all([model.stop(), client.stop()]);
  }
}

/** Starts each so many times, and keeps the last of them running. */
async function startAll(pairs, modelUrl, starts, results) {
  const boots = new Map(pairs.map((pair) => [pair, []]));
  for (let start = 1; start <= starts; start += 1) {
    for (const pair of pairs) {
      const { contestant, boot } = await Contestant.start(pair, modelUrl);
      boots.get(pair).push(boot);
      if (start < starts) await contestant.stop();
      else results.push({ contestant, boots: boots.get(pair), rounds: [] });
    }
  }
}

/**
 * All run each load before any runs the next: one that waits for all loads of all others has lost
 * its compiled code, because V8 drops the code of functions that have not run for a while.
 */
async function takeRound(results, model, client, size) {
  for (const { rounds } of results) rounds.push({});
  for (const [name, { paceMs, words, concurrency }] of Object.entries(LOADS)) {
    await model.ask({ paceMs, words });
    for (const { contestant, rounds } of results) {
      rounds.at(-1)[name] = await contestant.take(client, { concurrency, turns: size.turns[name] });
    }
  }
}

/** Another one begins each round. */
function rotated(list, by) {
  const at = by % list.length;
  return [...list.slice(at), ...list.slice(0, at)];
}
