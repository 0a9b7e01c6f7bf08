import { growthOf } from '../../internal/fixtures/growth';
import { ToolCallAssembler } from './tool-call.assembler';
import type { ToolCallFragment } from './tool-call.fragment';

const A = '{"a":1,"b":2}';
const B = '{"a":3,"b":4}';
const CALL_A = { name: 'add', input: { a: 1, b: 2 } };
const CALL_B = { name: 'add', input: { a: 3, b: 4 } };

type Fragment = ToolCallFragment & { readonly index?: number };

function assembled(...fragments: readonly Fragment[]): readonly object[] {
  return read(fragments, false);
}

function read(fragments: readonly Fragment[], isCut: boolean): readonly object[] {
  const assembler = new ToolCallAssembler({
    usedIds: [],
    offeredNames: new Set(['add', 'now', 'now_utc']),
    nameOf: (name) => name,
  });
  for (const { index, ...fragment } of fragments) assembler.add(index, fragment);
  return assembler.finish(isCut).filter(({ type }) => type === 'tool_use');
}

describe('ToolCallAssembler', () => {
  it.each<readonly [string, readonly Fragment[], readonly object[]]>([
    [
      'an id that comes late, without an index',
      [{ name: 'add' }, { id: 'late', arguments: A }],
      [{ ...CALL_A, id: 'late' }],
    ],
    [
      'an id that comes late, with the name again',
      [{ name: 'add' }, { id: 'late', name: 'add', arguments: A }],
      [{ ...CALL_A, id: 'late' }],
    ],
    [
      'an id that comes last',
      [
        { name: 'add', arguments: A },
        { id: 'late', arguments: '' },
      ],
      [{ ...CALL_A, id: 'late' }],
    ],
    [
      'an id in pieces',
      [
        { index: 0, id: 'call_', name: 'add' },
        { index: 0, id: '1', arguments: A },
      ],
      [CALL_A],
    ],
    [
      'two calls without ids or indexes',
      [
        { name: 'add', arguments: A },
        { name: 'add', arguments: B },
      ],
      [CALL_A, CALL_B],
    ],
    [
      'two calls without ids under one index',
      [
        { index: 0, name: 'add', arguments: A },
        { index: 0, name: 'add', arguments: B },
      ],
      [CALL_A, CALL_B],
    ],
    [
      'two calls of different tools, without ids, indexes or arguments',
      [{ name: 'now' }, { name: 'now_utc' }],
      [{ name: 'now' }, { name: 'now_utc' }],
    ],
    [
      'two calls of different tools under one index, without arguments',
      [
        { index: 0, id: 'x', name: 'now', arguments: '' },
        { index: 0, id: 'y', name: 'now_utc', arguments: '' },
      ],
      [
        { name: 'now', id: 'x', input: {} },
        { name: 'now_utc', id: 'y', input: {} },
      ],
    ],
    [
      'a call of a tool without arguments under the index of the next one',
      [
        { index: 0, id: 'x', name: 'now' },
        { index: 0, id: 'y', name: 'add' },
        { index: 0, arguments: A },
      ],
      [
        { name: 'now', id: 'x', input: {} },
        { ...CALL_A, id: 'y' },
      ],
    ],
    [
      'ids without indexes, interleaved',
      [
        { id: 'x', name: 'add', arguments: '{"a":1,' },
        { id: 'y', name: 'add', arguments: '{"a":3,' },
        { id: 'x', arguments: '"b":2}' },
        { id: 'y', arguments: '"b":4}' },
      ],
      [
        { ...CALL_A, id: 'x' },
        { ...CALL_B, id: 'y' },
      ],
    ],
    [
      'two calls under one index, interleaved',
      [
        { index: 0, id: 'x', name: 'add', arguments: A },
        { index: 0, id: 'y', name: 'add', arguments: '{"a":3,' },
        { index: 0, arguments: '"b":4}' },
        { index: 0, id: 'x', arguments: ' ' },
      ],
      [
        { ...CALL_A, id: 'x' },
        { ...CALL_B, id: 'y' },
      ],
    ],
    [
      'a name that begins like another',
      [
        { index: 0, id: 'x', name: 'now' },
        { index: 0, name: '_u' },
        { index: 0, name: 'tc', arguments: '{}' },
      ],
      [{ name: 'now_utc' }],
    ],
    [
      // LocalAI's, and that of gateways.
      'a call that is said again under other indexes, whole or in part',
      [
        { index: 0, id: 'x', name: 'add' },
        { index: 0, id: 'x', arguments: A },
        { index: 1, id: 'x', name: 'add' },
        { index: 2, id: 'x', name: 'add' },
        { index: 2, id: 'x', arguments: A },
      ],
      [{ ...CALL_A, id: 'x' }],
    ],
    [
      // Zhipu's.
      'two calls with one id under two indexes',
      [
        { index: 0, id: 'x', name: 'add', arguments: A },
        { index: 1, id: 'x', name: 'add', arguments: B },
      ],
      [{ ...CALL_A, id: 'x' }, CALL_B],
    ],
    [
      // Baidu's.
      'all arguments so far in every fragment',
      [
        { index: 0, id: 'x', name: 'add', arguments: '{' },
        { index: 0, arguments: '{"a":1,' },
        { index: 0, arguments: A },
      ],
      [CALL_A],
    ],
    [
      // That of gateways.
      'the whole arguments again after their pieces',
      [
        { index: 0, id: 'x', name: 'add', arguments: '{"a":1,' },
        { index: 0, arguments: '"b":2}' },
        { index: 0, arguments: A },
        { index: 0, id: 'x', name: 'add', arguments: A },
      ],
      [CALL_A],
    ],
    [
      'the whole arguments before their pieces',
      [
        { index: 0, id: 'x', name: 'add', arguments: { a: 1, b: 2 } },
        { index: 0, arguments: '{"a": 1,' },
        { index: 0, arguments: ' "b": 2}' },
      ],
      [CALL_A],
    ],
    [
      // From a gateway that reformats them.
      'the whole arguments after their pieces, with other blanks',
      [
        { index: 0, id: 'x', name: 'add', arguments: '{"a": 1,' },
        { index: 0, arguments: ' "b": 2}' },
        { index: 0, arguments: { a: 1, b: 2 } },
      ],
      [CALL_A],
    ],
    [
      'other arguments behind whole ones as none that it can choose from',
      [
        { index: 0, id: 'x', name: 'add', arguments: A },
        { index: 0, arguments: B },
      ],
      [{ name: 'add', input: {}, malformedInput: A + B }],
    ],
    [
      'an object in another with the same name',
      [
        { index: 0, id: 'x', name: 'add', arguments: '{"a":' },
        { index: 0, arguments: '{"a":1}' },
        { index: 0, arguments: '}' },
      ],
      [{ name: 'add', input: { a: { a: 1 } } }],
    ],
    [
      'arguments that quote themselves',
      [
        { index: 0, id: 'x', name: 'add', arguments: '{"a":"{' },
        { index: 0, arguments: '{' },
        { index: 0, arguments: '{\\"a\\":\\"{' },
        { index: 0, arguments: '"}' },
      ],
      [{ name: 'add', input: { a: '{{{"a":"{' } }],
    ],
    [
      // vLLM's and Ollama's, of gpt-oss.
      'a name with tokens behind it, whole or in pieces',
      [
        { index: 0, id: 'x', name: 'add<|channel|>commentary', arguments: A },
        { index: 1, id: 'y', name: 'ad' },
        { index: 1, name: 'd<|channel|>' },
        { index: 1, name: 'json', arguments: B },
      ],
      [CALL_A, { ...CALL_B, name: 'add' }],
    ],
    [
      'a name in every fragment',
      [
        { index: 0, id: 'x', name: 'add', arguments: '{"a":1,' },
        { index: 0, id: 'x', name: 'add', arguments: '"b":2}' },
        { index: 0, id: 'x', name: 'add', arguments: '' },
      ],
      [CALL_A],
    ],
  ])('reads %s', (_, fragments, expected) => {
    const calls = assembled(...fragments);
    expect(calls).toHaveLength(expected.length);
    expect(calls).toMatchObject(expected);
  });

  it('passes on nothing of a call that may be said again', () => {
    const assembler = new ToolCallAssembler({
      usedIds: [],
      offeredNames: new Set(['add']),
      nameOf: (name) => name,
    });
    const fragment = { id: 'x', name: 'add', arguments: A };
    const deltas = [0, 1].map((index) => assembler.add(index, fragment).length);
    expect([deltas, assembler.finish(false)]).toEqual([[1, 0], [expect.anything()]]);
  });

  it.each([
    ['pieces of arguments', {}],
    ['pieces of arguments with the name in each', { name: 'add' }],
  ])('takes no more time for each of many %s', (_, more) => {
    const readAll = (count: number): void => {
      const [call] = assembled(
        { index: 0, id: 'x', name: 'add', arguments: '{"0":{}' },
        ...Array.from({ length: count - 1 }, (_, at) => {
          return { index: 0, arguments: `,"${at + 1}":{}`, ...more };
        }),
        { index: 0, arguments: '}' },
      ) as readonly { readonly input: object }[];
      expect(Object.keys(call?.input ?? {})).toHaveLength(count);
    };
    expect(growthOf(readAll, 25_000)).toBeLessThan(9);
  });

  it('takes no cut arguments for repeated ones', () => {
    const pieces = ['{"a":', '{"a":1}'].map((text) => ({ index: 0, arguments: text }));
    expect(read([{ index: 0, id: 'x', name: 'add' }, ...pieces], true)).toMatchObject([
      { malformedInput: '{"a":{"a":1}' },
    ]);
  });

  it('replaces an id that is longer than any is', () => {
    const id = 'x'.repeat(100_000);
    const calls = assembled(
      { id, name: 'add', arguments: '{"a":1,' },
      { id: 'y', name: 'now', arguments: '{}' },
      { id, arguments: '"b":2}' },
    );
    expect(calls).toMatchObject([CALL_A, { id: 'y', name: 'now' }]);
    expect(JSON.stringify(calls).length).toBeLessThan(1_000);
  });

  it('takes no name for longer than any is', () => {
    const fragments = Array.from({ length: 500 }, (_, index) => ({ index: 0, name: `n${index}` }));
    const [call] = assembled(...fragments) as readonly { readonly name: string }[];
    expect(call?.name).toMatch(/^n0n1n2n3/);
    expect(call?.name.length).toBeLessThan(1_100);
  });
});
