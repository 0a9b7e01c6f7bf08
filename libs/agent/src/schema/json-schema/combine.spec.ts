import { combine } from './combine';

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
