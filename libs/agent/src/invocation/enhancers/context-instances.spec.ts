import { instanceOf, isInjectableType } from './context-instances';

class Base {}
class Derived extends Base {}

describe('instanceOf', () => {
  it('prefers the very class, then a subclass, and of several the first', () => {
    const derived = new Derived();
    const [base, second] = [new Base(), new Base()];
    expect(instanceOf(Base, [derived, base, second])).toBe(base);
    expect(instanceOf(Base, [{}, derived])).toBe(derived);
    expect(instanceOf(Derived, [base])).toBeUndefined();
  });
});

describe('isInjectableType', () => {
  it('takes classes, but none that every value is an instance of', () => {
    expect(isInjectableType(Base)).toBe(true);
    for (const type of [Object, String, Number, Array, Date, undefined, null, () => 1]) {
      expect(isInjectableType(type)).toBe(false);
    }
  });
});
