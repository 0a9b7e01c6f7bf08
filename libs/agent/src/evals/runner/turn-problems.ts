import { wildcard } from '../../internal';
import type { EvalTurn, ExpectedText } from '../cases';
import { callProblems, shownCall } from './call-problems';
import type { Found } from './judgement';

/** The answer's part that a problem quotes. */
const QUOTED_CHARS = 300;

/** Stop reasons of a run that ended at a limit; its next calls are unknown. */
const STOPPED: ReadonlySet<string> = new Set(['max_steps', 'budget', 'loop']);

/** The differences between a turn and its expectations, one text each; empty without any. */
export function turnProblems(
  turn: EvalTurn,
  { calls, answer, usage, stopReason = 'end_turn' }: Found,
): readonly string[] {
  const { never = [], maxCalls = Infinity, maxTokens = Infinity } = turn;
  const forbidden = calls.flatMap((call) => {
    const pattern = never.find((each) => wildcard(each).test(call.name));
    return pattern === undefined
      ? []
      : [`${shownCall(call)} was called, which "never" forbids: ${pattern}`];
  });
  return [
    ...callProblems(turn, calls),
    ...forbidden,
    ...listOf(turn.answer)
      .filter((text) => !isIn(text, answer))
      .map((text) => `the answer does not contain ${JSON.stringify(text)}: ${quoted(answer)}`),
    ...(STOPPED.has(stopReason) ? [`the agent was stopped before its end: ${stopReason}`] : []),
    ...(calls.length > maxCalls ? [`${calls.length} calls were made, more than ${maxCalls}`] : []),
    ...(usage.totalTokens > maxTokens
      ? [`${usage.totalTokens} tokens were used, more than ${maxTokens}`]
      : []),
  ];
}

function listOf(answer: EvalTurn['answer'] = []): readonly ExpectedText[] {
  return Array.isArray(answer) ? (answer as readonly ExpectedText[]) : [answer as ExpectedText];
}

function isIn(text: ExpectedText, answer: string): boolean {
  return typeof text === 'string'
    ? answer.includes(text)
    : new RegExp(text.$matches, 'u').test(answer);
}

function quoted(answer: string): string {
  if (answer === '') return 'it is empty';
  const isLong = answer.length > QUOTED_CHARS;
  return JSON.stringify(isLong ? `${answer.slice(0, QUOTED_CHARS)}…` : answer);
}
