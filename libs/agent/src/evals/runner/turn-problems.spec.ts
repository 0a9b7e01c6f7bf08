import { NO_USAGE, type JsonObject } from '../../message';
import type { EvalTurn, ExpectedCall, MadeCall } from '../cases';
import { turnProblems } from './turn-problems';

const made = (name: string, input: JsonObject = {}, rest: Partial<MadeCall> = {}): MadeCall => ({
  name,
  input,
  asked: false,
  ...rest,
});

/** The problems of a turn whose calls are these. */
function problemsOf(
  turn: Partial<EvalTurn>,
  calls: readonly MadeCall[],
  answer = '',
): readonly string[] {
  const usage = { ...NO_USAGE, totalTokens: 100 };
  return turnProblems({ message: 'Go on', ...turn }, { calls, answer, usage });
}

describe('the calls of a turn', () => {
  it.each<[string, Partial<EvalTurn>, readonly MadeCall[], readonly string[]]>([
    ['are not looked at without calls', {}, [made('a')], []],
    ['are as expected', { calls: [{ name: 'a' }, { name: 'b' }] }, [made('a'), made('b')], []],
    [
      'are none, as expected or not',
      { calls: [] },
      [made('a', { x: 1 })],
      ['a {"x":1} was called, which was not expected'],
    ],
    [
      'are another one',
      { calls: [{ name: 'get', input: { id: 1 } }] },
      [made('list', { all: true })],
      ['get {"id":1} was not called; called instead: list {"all":true}'],
    ],
    [
      'are missing',
      { calls: [{ name: 'get', inputIncludes: { id: 1 } }, { name: 'b' }] },
      [],
      [
        'get {"id":1} (among others) was not called; called instead: no tool',
        'b was not called; called instead: no tool',
      ],
    ],
    [
      'have other arguments',
      { calls: [{ name: 'get', input: { id: 1, by: { 'a/b': 'x' } } }] },
      [made('get', { id: '1', by: { 'a/b': 'y' }, more: null })],
      [
        'get was called with other arguments: /id was "1", expected 1; /by/a~1b was "y", expected "x"; /more was null, expected none',
      ],
    ],
    [
      'come in another order',
      { calls: [{ name: 'a' }, { name: 'b' }] },
      [made('b'), made('a')],
      ['the calls are in another order: b, a; expected a, b'],
    ],
    [
      'may come in any order',
      { calls: [{ name: 'a' }, { name: 'b' }], inAnyOrder: true },
      [made('b'), made('a')],
      [],
    ],
    [
      'give way to one that fits fewer',
      { calls: [{ name: 'a' }, { name: 'a', input: { id: 1 } }], inAnyOrder: true },
      [made('a', { id: 1 }), made('a', { id: 2 })],
      [],
    ],
    [
      'may stand between others',
      { calls: [{ name: 'a' }, { name: 'b' }], othersAllowed: true },
      [made('x'), made('a'), made('x'), made('b')],
      [],
    ],
    [
      'may not stand between others by default',
      { calls: [{ name: 'a' }] },
      [made('a'), made('a')],
      ['a {} was called, which was not expected'],
    ],
    [
      'must not be forbidden ones',
      { never: ['delete_*'] },
      [made('delete_order', { id: 1 }), made('undelete_order')],
      ['delete_order {"id":1} was called, which "never" forbids: delete_*'],
    ],
    [
      'end and ask as they must',
      {
        calls: [
          { name: 'a', asks: true, fails: true },
          { name: 'b', asks: false, fails: false },
        ],
      },
      [made('a'), made('b', {}, { asked: true, error: 'broken' })],
      [
        'a did not ask for approval',
        'a did not end in an error',
        'b asked for approval',
        'b ended in an error: "broken"',
      ],
    ],
    [
      'are not too many',
      { maxCalls: 1 },
      [made('a'), made('b')],
      ['2 calls were made, more than 1'],
    ],
    ['cost no more tokens', { maxTokens: 99 }, [], ['100 tokens were used, more than 99']],
  ])('%s', (_what, turn, calls, problems) => {
    expect(problemsOf(turn, calls)).toEqual(problems);
  });
});

describe('an expected argument', () => {
  it.each<[Omit<ExpectedCall, 'name'>, JsonObject, boolean]>([
    [{ input: { id: 1, tags: ['a'] } }, { tags: ['a'], id: 1 }, true],
    [{ input: { tags: ['a'] } }, { tags: ['a', 'b'] }, false],
    [{ input: {} }, { id: 1 }, false],
    [{ inputIncludes: {} }, { id: 1 }, true],
    [{ inputIncludes: { of: { id: 1 } } }, { of: { id: 1, name: 'x' }, more: 1 }, true],
    [{ input: { of: { id: 1 } } }, { of: { id: 1, name: 'x' } }, false],
    [{ inputIncludes: { id: null } }, {}, false],
    [{ input: { id: null } }, { id: null }, true],
    [{ input: { name: { $matches: '^demo-' } } }, { name: 'demo-app' }, true],
    [{ input: { name: { $matches: '^demo-' } } }, { name: 'my demo-app' }, false],
    [{ input: { name: { $matches: '1' } } }, { name: 1 }, false],
    [{ input: { id: { $oneOf: [1, '1', { $matches: '^x' }] } } }, { id: 'xy' }, true],
    [{ input: { id: { $oneOf: [{ a: 1 }] } } }, { id: { a: 1, b: 2 } }, false],
    [{ inputIncludes: { id: { $oneOf: [{ a: 1 }] } } }, { id: { a: 1, b: 2 } }, true],
    [{ input: { id: { $any: true } } }, {}, true],
    [{ input: { id: { $any: true } } }, { id: [1] }, true],
    // A model may send any key.
    [{ inputIncludes: { constructor: { $any: true } } }, {}, true],
    [{ inputIncludes: { constructor: 'x' } }, {}, false],
    [{ input: { a: 1 } }, JSON.parse('{"a":1,"__proto__":{"b":2}}') as JsonObject, false],
  ])('%j fits %j: %s', (expected, input, fits) => {
    const problems = problemsOf({ calls: [{ name: 'a', ...expected }] }, [made('a', input)]);
    expect(problems.length === 0).toBe(fits);
  });
});

describe('the answer', () => {
  it('contains all texts and matches all expressions', () => {
    const answer: EvalTurn['answer'] = ['open', { $matches: 'order \\d+' }];
    expect(problemsOf({ answer }, [], 'Your order 17 is open.')).toEqual([]);
    expect(problemsOf({ answer }, [], `It is ${'x'.repeat(400)}`)).toEqual([
      expect.stringMatching(/^the answer does not contain "open": "It is x+…"$/),
      expect.stringContaining('does not contain {"$matches":"order \\\\d+"}'),
    ]);
    expect(problemsOf({ answer: 'open' }, [])).toEqual([
      'the answer does not contain "open": it is empty',
    ]);
  });
});

describe('a run that the agent stopped at its own limit', () => {
  it.each(['max_steps', 'budget', 'loop'])(
    'is not as expected, whatever it called: %s',
    (stopReason) => {
      const found = { calls: [made('a')], answer: '', usage: NO_USAGE, stopReason };
      expect(turnProblems({ message: 'Hi', calls: [{ name: 'a' }], maxCalls: 1 }, found)).toEqual([
        `the agent was stopped before its end: ${stopReason}`,
      ]);
    },
  );
});
