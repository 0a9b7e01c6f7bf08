import { getOrAdd } from './get-or-add';

describe('getOrAdd', () => {
  it.each([new Map<object, object>(), new WeakMap<object, object>()])(
    'makes the value of a key once',
    (map) => {
      const [one, other] = [{}, {}];
      const made = getOrAdd(map, one, () => ({}));
      expect(getOrAdd(map, one, () => ({}))).toBe(made);
      expect(getOrAdd(map, other, (key) => ({ key }))).toEqual({ key: other });
    },
  );
});
