import { NO_USAGE } from '../message';
import type { EvalTurn } from './cases';
import { limitedJudge } from './limited-judge';
import type { Found } from './runner';

const TEXT = `${'a'.repeat(40)}!`;
const found: Found = {
  calls: [{ name: 'add', input: { text: TEXT }, asked: false }],
  answer: TEXT,
  usage: NO_USAGE,
};
const slow = { $matches: '^(a+)+$' };

describe('a judge with a limit', () => {
  const judge = limitedJudge();
  const problem =
    'it cannot be compared: that takes longer than 1000 ms. Is a regular expression slow?';

  it.each<[string, EvalTurn]>([
    ['the answer', { message: 'Hi', answer: slow }],
    ['an argument', { message: 'Hi', calls: [{ name: 'add', input: { text: slow } }] }],
    [
      'one of several values',
      { message: 'Hi', calls: [{ name: 'add', input: { text: { $oneOf: ['b', slow] } } }] },
    ],
  ])('stops a regular expression that would never end, of %s', async (_of, turn) => {
    expect(await judge(turn, found)).toEqual({ problems: [problem], expected: [false] });
  });

  it('judges on afterwards', async () => {
    const turn: EvalTurn = {
      message: 'Hi',
      calls: [{ name: 'add' }],
      answer: { $matches: '^a+!$' },
    };
    expect(await judge(turn, found)).toEqual({ problems: [], expected: [true] });
  });
});
