import { isAffordable } from './expansions';

describe('a check of a value', () => {
  const nested = (levels: number): object => (levels === 0 ? {} : { a: nested(levels - 1) });
  const wide = { type: 'object', properties: { items: { type: 'array', items: { anyOf: [] } } } };
  const twice = { properties: { a: { anyOf: [{ $ref: '#' }, { $ref: '#' }] } } };
  const items = (count: number) => ({ items: Array.from({ length: count }, () => 1) });

  it('is affordable for ordinary values', () => {
    expect(isAffordable(items(10_000) as never, wide as never)).toBe(true);
    expect(isAffordable(nested(3) as never, twice as never)).toBe(true);
  });

  it('is not where many members meet a large schema', () => {
    expect(isAffordable(items(150_000) as never, wide as never)).toBe(false);
  });

  it('is not where many members are compared with many values', () => {
    const choices = (count: number) => ({
      properties: { items: { items: { enum: Array.from({ length: count }, (_, at) => at) } } },
    });
    expect(isAffordable(items(10_000) as never, choices(100) as never)).toBe(true);
    expect(isAffordable(items(10_000) as never, choices(5_000) as never)).toBe(false);
    const constant = { items: { const: Array.from({ length: 5_000 }, () => 1) } };
    expect(isAffordable(items(10_000) as never, constant as never)).toBe(false);
  });

  it('is not where a schema refers to itself twice in each level of a deep value', () => {
    expect(isAffordable(nested(20) as never, twice as never)).toBe(false);
  });
});
