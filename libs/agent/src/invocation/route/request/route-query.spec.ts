import fc from 'fast-check';
import { queryPairsOf, queryString } from './route-query';

const SIMPLE = { isNested: false };
const NESTED = { isNested: true };

describe('arguments in a query', () => {
  it.each([
    ['text', 'a', [['k', 'a']]],
    ['empty text', '', [['k', '']]],
    ['a number', 1.5, [['k', '1.5']]],
    ['a boolean', false, [['k', 'false']]],
    ['null', null, []],
    ['nothing', undefined, []],
    ['an empty list', [], []],
    [
      'a list',
      ['a', 2, true],
      [
        ['k', 'a'],
        ['k', '2'],
        ['k', 'true'],
      ],
    ],
  ] as const)('are written alike for every parser: %s', (_, value, pairs) => {
    expect(queryPairsOf('k', value, SIMPLE)).toEqual(pairs);
    expect(queryPairsOf('k', value, NESTED)).toEqual(pairs);
  });

  it('stay a list of one where the parser knows brackets', () => {
    expect(queryPairsOf('k', ['a'], NESTED)).toEqual([['k[]', 'a']]);
    expect(queryPairsOf('k', ['a'], SIMPLE)).toEqual([['k', 'a']]);
  });

  it('are nested by brackets, or JSON where the parser knows none', () => {
    const value = { a: { b: 1 }, list: [{ c: 'x' }, { c: 'y' }] };
    expect(queryPairsOf('k', value, NESTED)).toEqual([
      ['k[a][b]', '1'],
      ['k[list][0][c]', 'x'],
      ['k[list][1][c]', 'y'],
    ]);
    expect(queryPairsOf('k', value, SIMPLE)).toEqual([['k', JSON.stringify(value)]]);
    expect(queryPairsOf('k', [{ c: 'x' }, 1], SIMPLE)).toEqual([['k', '[{"c":"x"},1]']]);
  });
});

describe('a query', () => {
  it('is nothing without arguments', () => {
    expect(queryString([])).toBe('');
  });

  it('holds any text in its place', () => {
    const anyText = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(fc.array(fc.tuple(anyText, anyText), { minLength: 1 }), (pairs) => {
        const query = queryString(pairs);
        const { pathname, hash, searchParams } = new URL(`/p${query}`, 'http://localhost');
        expect([pathname, hash]).toEqual(['/p', '']);
        expect([...searchParams]).toEqual(pairs);
      }),
    );
  });

  it('shows what is no Unicode as the replacement character', () => {
    expect(queryString([['k', 'a\ud800']])).toBe('?k=a%EF%BF%BD');
  });
});
