import { setTimeout as delay } from 'node:timers/promises';
import { isRolledBack } from './sql-errors';

const MOST_TRIES = 10;
/** The pause is random, so that those who met do not meet again; the longest doubles with each attempt. */
const LONGEST_FIRST_PAUSE_MS = 4;

/** Repeats work that PostgreSQL rolls back because of others, ten times at most. */
export async function repeated<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === MOST_TRIES || !isRolledBack(error)) throw error;
    }
    await delay(Math.random() * LONGEST_FIRST_PAUSE_MS * 2 ** (attempt - 1));
  }
}
