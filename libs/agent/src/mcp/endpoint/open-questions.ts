import { randomUUID } from 'node:crypto';
import type { GivenAnswer } from '../protocol';

interface OpenQuestion {
  readonly principal: string | undefined;
  readonly answer: (given: GivenAnswer | undefined) => void;
}

/** Requests to legacy clients that wait for an answer, in this process. */
export class OpenQuestions {
  private readonly questions = new Map<string, OpenQuestion>();
  private isClosed = false;

  /**
   * Sends a question and waits.
   *
   * @param send sends the question, with its id
   * @param signal withdraws the question
   * @returns the client's answer; `undefined` without one in time
   */
  ask(
    principal: string | undefined,
    send: (id: string) => void,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<GivenAnswer | undefined> {
    const id = randomUUID();
    return new Promise((resolve) => {
      const answer = (given: GivenAnswer | undefined): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
        this.questions.delete(id);
        resolve(given);
      };
      const giveUp = (): void => answer(undefined);
      const timer = setTimeout(giveUp, timeoutMs).unref();
      signal.addEventListener('abort', giveUp, { once: true });
      this.questions.set(id, { principal, answer });
      if (signal.aborted || this.isClosed) giveUp();
      else send(id);
    });
  }

  /** Takes an answer. Answers of other principals, or to unknown questions, have no effect. */
  take(given: GivenAnswer, principal: string | undefined): void {
    const question = this.questions.get(String(given.answer.id));
    if (question?.principal === principal) question?.answer(given);
  }

  /** Withdraws all questions, and asks no more. */
  close(): void {
    this.isClosed = true;
    for (const { answer } of [...this.questions.values()]) answer(undefined);
  }
}
