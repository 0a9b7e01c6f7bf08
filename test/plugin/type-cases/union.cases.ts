import { DAY, NAMED, POINT, of, type TypeCase } from './type-case';

/** Unions and types that reach themselves. */
export const UNION_CASES: readonly TypeCase[] = [
  // Unions
  of('string | number', ['a', 1], [true]),
  of('string | string[]', ['a', ['a']], [1, [1]]),
  of('Point | Named', [POINT, NAMED], [{ x: 1 }, { nick: 'a' }]),
  of(
    'Shape',
    [
      { kind: 'circle', radius: 1 },
      { kind: 'square', side: 2 },
    ],
    [{ kind: 'circle', side: 2 }, { kind: 'other' }],
  ),
  of('Shape[]', [[{ kind: 'square', side: 1 }]], [[{ kind: 'square' }]]),
  of(
    'Shape & { id: number }',
    [{ kind: 'circle', radius: 1, id: 2 }],
    [{ kind: 'circle', radius: 1 }],
  ),
  of(
    'Event',
    [
      { type: 'created', at: DAY },
      { type: 'renamed', name: DAY },
      { type: 'moved', by: 3 },
    ],
    [{ type: 'created', name: 'a' }, { type: 'gone' }],
    [
      `{ type: 'created', at: ${DAY} }`,
      `{ type: 'renamed', name: '${DAY}' }`,
      "{ type: 'moved', by: 3n }",
    ],
  ),
  of(
    "Extract<Event, { type: 'moved' }>",
    [{ type: 'moved', by: 1 }],
    [{ type: 'created' }],
    ["{ type: 'moved', by: 1n }"],
  ),
  of('boolean | string', [true, 'a'], [1]),
  of('Window | number', ['day', 5], ['year']),
  of('Date | Date[]', [DAY, [DAY]], [true], [DAY, `[ ${DAY} ]`]),
  of(
    '{ a: string } | { b: Date }',
    [{ a: 'x' }, { b: DAY }],
    [{}],
    ["{ a: 'x' }", `{ b: ${DAY} }`],
  ),
  of(
    '{ a: 1; b: string } | { a: 2; b: number }',
    [
      { a: 1, b: 'x' },
      { a: 2, b: 3 },
    ],
    [{ a: 1, b: 3 }],
  ),
  // Types that reach themselves
  of(
    'Tree',
    [{ value: 'a' }, { value: 'a', children: [{ value: 'b' }] }],
    [{ value: 'a', children: [{}] }],
  ),
  of('Tree[]', [[{ value: 'a' }]], [[1]]),
  of('Person', [{ name: 'a', friend: { name: 'b', friend: null } }], [{ name: 'a' }]),
  of('Team', [{ name: 't', members: [] }], [{ name: 't', members: [1] }]),
  of('Json', ['a', [1, { a: null }], { b: [true] }], []),
  of('Page<Tree>', [{ items: [{ value: 'a' }] }], [{ items: [{}] }]),
];
