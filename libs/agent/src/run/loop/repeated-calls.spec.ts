import type { ResultContent } from '../../message';
import type { RunCall } from '../../session';
import { isLoop, REPEATED_CALL_HINT, withHint } from './repeated-calls';

const call = { name: 'get', input: { a: 1, b: 2 } };
const sameCall = { name: 'get', input: { b: 2, a: 1 } };

type Made = Pick<RunCall, 'name' | 'input'> & Partial<RunCall>;

/** The calls of a run after each has its result. */
function play(made: readonly (readonly [Made, ResultContent | undefined])[]): {
  readonly calls: readonly RunCall[];
  readonly hinted: readonly boolean[];
  readonly looped: readonly boolean[];
} {
  let calls: readonly RunCall[] = [];
  const hinted: boolean[] = [];
  const looped: boolean[] = [];
  for (const [index, [one, content]] of made.entries()) {
    const id = `c${index}`;
    calls = [...calls, { kind: 'provider', ...one, id }];
    looped.push(isLoop({ calls }, id));
    const output = content && withHint({ calls }, id, content);
    hinted.push(JSON.stringify(output ?? '').includes(REPEATED_CALL_HINT));
    calls = calls.map((each) => (each.id === id && output ? { ...each, output } : each));
  }
  return { calls, hinted, looped };
}

describe('the same call, over and over', () => {
  it.each<[string, ResultContent]>([
    ['text', 'same'],
    ['blocks', [{ type: 'text', text: 'same' }]],
  ])('gets a hint at the third and fourth time, and is stopped at the fifth: %s', (_, result) => {
    const { hinted, looped } = play(
      [call, sameCall, call, call, sameCall].map((one) => [one, result]),
    );
    expect(hinted.slice(0, 4)).toEqual([false, false, true, true]);
    expect(looped).toEqual([false, false, false, false, true]);
  });

  it('reads what each call asks for once, however many an answer asks for', () => {
    let reads = 0;
    const counted = (): RunCall['input'] =>
      new Proxy({ a: 1 }, { ownKeys: (target) => ((reads += 1), Reflect.ownKeys(target)) });
    const calls = Array.from({ length: 50 }, (_, index) => ({
      id: `c${index}`,
      name: 'get',
      kind: 'provider' as const,
      input: counted(),
    }));
    for (const { id } of calls) expect(isLoop({ calls }, id)).toBe(false);
    expect(reads).toBe(50);
  });

  it('looks at few of the calls before it, however many equal ones an answer asks for', () => {
    const calls = Array.from({ length: 1_000 }, (_, index) => ({
      ...call,
      id: `c${index}`,
      kind: 'provider' as const,
    }));
    const results = new Map<string, ResultContent>();
    const looked = jest.spyOn(results, 'get');
    expect(isLoop({ calls, results }, 'c999')).toBe(false);
    expect(looked.mock.calls.length).toBeLessThan(100);
  });

  it('counts results that are still being stored', () => {
    const calls = ['c0', 'c1', 'c2'].map((id) => ({ ...call, id, kind: 'provider' as const }));
    const results = new Map([
      ['c0', 'same'],
      ['c1', 'same'],
    ]);
    expect(withHint({ calls, results }, 'c2', 'same')).toContain(REPEATED_CALL_HINT);
    expect(withHint({ calls }, 'c2', 'same')).toBe('same');
  });

  it('keeps the result itself as it was', () => {
    const { calls } = play(Array(3).fill([call, 'same']) as [Made, string][]);
    expect(calls.map(({ output }) => output)).toEqual([
      'same',
      'same',
      `same\n\n${REPEATED_CALL_HINT}`,
    ]);
  });

  it('is counted anew after another result, other arguments or another tool', () => {
    const { hinted, looped } = play([
      [call, 'x'],
      [call, 'x'],
      [call, 'y'],
      [call, 'y'],
      [{ name: 'get', input: {} }, 'y'],
      [call, 'y'],
      [call, 'y'],
      [call, 'y'],
    ]);
    expect(hinted.indexOf(true)).toBe(7);
    expect(looped).not.toContain(true);
  });

  it('is not seen in arguments that are broken in different ways', () => {
    const { looped } = play(
      Array.from({ length: 6 }, (_, index) => [
        { name: 'get', input: {}, malformedInput: `{${index}` },
        'no JSON',
      ]),
    );
    expect(looped).not.toContain(true);
  });

  it('is seen past calls of its kind that still wait, not past others', () => {
    const four: (readonly [Made, string])[] = Array(4).fill([call, 'same']) as [Made, string][];
    expect(play([...four, [call, undefined], [call, undefined]]).looped.at(-1)).toBe(true);
    const other = { name: 'other', input: {} };
    expect(play([...four, [other, undefined], [call, undefined]]).looped.at(-1)).toBe(false);
  });
});
