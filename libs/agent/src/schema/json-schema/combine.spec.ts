import type { JsonSchema } from '../../tool';
import { acceptsNull, combine, nullable } from './combine';

describe('combined schemas', () => {
  it.each([
    [{ minimum: 1 }, { exclusiveMinimum: 0 }, { minimum: 1 }],
    [{ minimum: 0 }, { exclusiveMinimum: 0 }, { exclusiveMinimum: 0 }],
    [{ maximum: -1 }, { exclusiveMaximum: 0 }, { maximum: -1 }],
    [{ maximum: 5 }, { exclusiveMaximum: 0 }, { exclusiveMaximum: 0 }],
  ])('keep the narrower bound of %p and %p', (one, other, both) => {
    expect(combine(one, other)).toEqual(both);
    expect(combine(other, one)).toEqual(both);
  });
});

describe('null', () => {
  it.each<[JsonSchema, boolean]>([
    [{ type: 'string', enum: ['a', null] }, false],
    [{ type: ['string', 'null'], enum: ['a'] }, false],
    [{ type: ['string', 'null'], enum: ['a', null] }, true],
    [{ enum: ['a', null] }, true],
    [{ type: ['string', 'null'] }, true],
  ])('is accepted by %p: %p', (schema, expected) => {
    expect(acceptsNull(schema)).toBe(expected);
  });

  it('is added where the values have it already, as OpenAPI 3.0 wants', () => {
    expect(nullable({ type: 'string', enum: ['a', null] })).toEqual({
      type: ['string', 'null'],
      enum: ['a', null],
    });
  });
});
