import { DAY, NAMED, of, type TypeCase } from './type-case';

/** Classes. */
export const CLASS_CASES: readonly TypeCase[] = [
  of(
    'Money',
    [{ amount: 1 }],
    [{}, { amount: 1, currency: 'GBP' }, { amount: 1, more: 2 }],
    ["Money { amount: 1, currency: 'EUR' }"],
  ),
  of(
    'Money | null',
    [{ amount: 1, currency: 'USD' }, null],
    [1],
    ["Money { amount: 1, currency: 'USD' }", 'null'],
  ),
  of('Money[]', [[{ amount: 1 }]], [[{}]], ["[ Money { amount: 1, currency: 'EUR' } ]"]),
  of(
    'Priced',
    [{ amount: 1, label: null }],
    [{ label: 'a' }],
    ["Priced { amount: 1, currency: 'EUR', label: null }"],
  ),
  of(
    'Map<string, Money>',
    [{ a: { amount: 1 } }],
    [{ a: {} }],
    ["Map(1) { 'a' => Money { amount: 1, currency: 'EUR' } }"],
  ),
  of(
    '{ price: Money }',
    [{ price: { amount: 1 } }],
    [{ price: {} }],
    ["{ price: Money { amount: 1, currency: 'EUR' } }"],
  ),
  of(
    'Basket',
    [{ lines: [{ amount: 1 }], opened: DAY, extras: { a: DAY }, owner: NAMED }],
    [{ lines: [] }, { lines: [{}], opened: DAY }],
    [
      `Basket { lines: [ Money { amount: 1, currency: 'EUR' } ], opened: ${DAY}, extras: Map(1) { 'a' => ${DAY} }, owner: { name: 'Ada' } }`,
    ],
  ),
  of("Pick<Money, 'amount'>", [{ amount: 1 }], [{}]),
  of('Partial<Money>', [{}], [{ amount: 'a' }]),
];
