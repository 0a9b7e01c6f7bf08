import Ajv from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkEvals } from './evaluation-checks';
import { InvalidEvalsError } from './invalid-evals.error';

const ROOT = join(__dirname, '../../../..');
const read = (path: string): object => JSON.parse(readFileSync(path, 'utf8')) as object;
const one = (turn: object): object => ({ cases: [{ message: 'Hi', ...turn }] });
const call = (fields: object): object => one({ calls: [{ name: 'a', ...fields }] });

describe('a file of evaluations', () => {
  const ajv = addFormats(new Ajv({ strictRequired: false, strictTypes: false }));
  const fits = ajv.compile(read(join(__dirname, 'agent-evals.schema.json')));

  it.each<[string, unknown]>([
    ["the demo's", read(join(ROOT, 'apps/demo/agent.evals.json'))],
    ['one without calls', one({ calls: [] })],
    ['one with conditions', call({ input: { a: { $oneOf: [1, { $any: true }] } } })],
    [
      'one with nested values',
      call({ inputIncludes: { a: [{ b: { $matches: 'x' } }], $x: 1, y: 2 } }),
    ],
    [
      'one with several turns',
      { cases: [{ turns: [{ message: 'a' }, { message: 'b', calls: [] }] }] },
    ],
    [
      'one of all fields',
      one({
        name: 'x',
        as: 'ada',
        calls: [{ name: 'a', asks: true, fails: false }],
        inAnyOrder: true,
        othersAllowed: true,
        never: ['b_*'],
        answer: ['x', { $matches: '^y' }],
        approvals: 'approve',
        maxCalls: 0,
        maxTokens: 9,
      }),
    ],
  ])('is accepted, as editors accept it: %s', (_what, file) => {
    expect(checkEvals(file)).toBe(file);
    expect([fits(file), fits.errors]).toEqual([true, null]);
  });

  it.each<[unknown, string]>([
    [[], 'the file must be an object, not a list'],
    [{}, 'cases is missing or empty'],
    [{ cases: [] }, 'cases is missing or empty'],
    [{ cases: [{}] }, 'cases[0].message is missing'],
    [one({}), 'cases[0] expects nothing, so it cannot fail'],
    [one({ call: [] }), 'cases[0].call is no option; did you mean calls?'],
    [one({ calls: {} }), 'cases[0].calls must be a list, not an object'],
    [one({ calls: [{}] }), 'cases[0].calls[0].name is missing'],
    [one({ calls: [], message: ' ' }), 'cases[0].message must be a text that says something'],
    [one({ maxCalls: -1 }), 'cases[0].maxCalls must be a whole number, 0 or more'],
    [one({ never: 'x' }), 'cases[0].never must be a list'],
    [one({ answer: 3 }), 'cases[0].answer must be a text, { "$matches": … }'],
    [one({ answer: ['x', {}] }), 'cases[0].answer must be a text, { "$matches": … }'],
    [one({ answer: { $matches: 'x', b: 1 } }), 'cases[0].answer must be a text, { "$matches": … }'],
    [one({ answer: [] }), 'cases[0].answer is empty'],
    [one({ never: [] }), 'cases[0].never is empty'],
    [one({ answer: { $matches: '[' } }), '$matches is no regular expression'],
    [one({ answer: 'x', approvals: 'yes' }), '"stop", "approve" or "reject", not "yes"'],
    [
      one({ answer: 'x', approvals: 'approve' }),
      'approves only calls that are expected: add calls',
    ],
    [call({ input: {}, inputIncludes: {} }), 'has input and inputIncludes; keep one of them'],
    [call({ input: { a: { $match: 'x' } } }), 'input.a.$match is no condition; there are $any'],
    [call({ input: { a: [{ $any: false }] } }), 'input.a[0].$any must be true'],
    [call({ input: { a: { $oneOf: [] } } }), '$oneOf must be a list of values'],
    [call({ input: { a: { $matches: '(' } } }), 'input.a.$matches is no regular expression'],
    [{ cases: [{ turns: [{ message: 'a' }] }] }, 'cases[0] expects nothing'],
    [{ cases: [{ turns: [] }] }, 'cases[0].turns is empty'],
    [one({ turns: [{ message: 'a', calls: [] }] }), 'so message belongs in one of them'],
  ])('is refused, as editors refuse it: %j', (file, problem) => {
    expect(() => checkEvals(file)).toThrow(InvalidEvalsError);
    expect(() => checkEvals(file)).toThrow(problem);
    expect(fits(file)).toBe(false);
  });

  it('has a name for each case', () => {
    const twice = {
      as: 'ada',
      cases: [
        { message: 'Hi', calls: [] },
        { message: 'Hi', answer: 'x' },
      ],
    };
    expect(() => checkEvals(twice)).toThrow('cases[1] is called as cases[0], "ada: Hi"');
  });
});
