import type { EvalTurn, TurnResult } from '../cases';
import { isExpected } from './call-problems';
import { turnProblems } from './turn-problems';

/** Milliseconds that one judgement may take. */
export const JUDGEMENT_MS = 1_000;

/** The parts of a turn's result that are judged. */
export type Found = Pick<TurnResult, 'calls' | 'answer' | 'usage'> & {
  /** Why the run ended. */
  readonly stopReason?: string;
};

/** The judgement of a turn. */
export interface Judgement {
  /** Differences from the expectations, one text each. */
  readonly problems: readonly string[];
  /** Of each call, whether the turn expects it. */
  readonly expected: readonly boolean[];
}

/**
 * Judges a turn. Regular expressions of a file may never end, so the caller of an evaluation
 * gives one that stops them.
 */
export type Judge = (turn: EvalTurn, found: Found) => Judgement | Promise<Judgement>;

/** A judgement without a time limit. */
export function judged(turn: EvalTurn, found: Found): Judgement {
  const { calls = [] } = turn;
  return {
    problems: turnProblems(turn, found),
    expected: found.calls.map((made) => calls.some((each) => isExpected(each, made))),
  };
}

/** The judgement after a timeout. */
export function undecided({ calls }: Found): Judgement {
  const problem = `it cannot be compared: that takes longer than ${JUDGEMENT_MS} ms. Is a regular expression slow?`;
  return { problems: [problem], expected: calls.map(() => false) };
}
