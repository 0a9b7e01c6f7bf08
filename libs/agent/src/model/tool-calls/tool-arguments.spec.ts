import fc from 'fast-check';
import { growthOf } from '../../internal/fixtures/growth';
import { lenientJsonIn } from './json-repair';
import { readArguments } from './tool-arguments';

const json = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }));

describe('readArguments', () => {
  it('reads every JSON object as it is', () => {
    fc.assert(
      fc.property(json, (value) => {
        const text = JSON.stringify(value);
        expect(readArguments(text)).toEqual({ input: JSON.parse(text) as unknown });
        expect(readArguments(text, true).malformedInput).toBeUndefined();
      }),
    );
  });

  it('never makes up the end of what was cut off', () => {
    fc.assert(
      fc.property(json, fc.double({ min: 0.05, max: 0.95, noNaN: true }), (value, share) => {
        const text = JSON.stringify(value);
        const cut = text.slice(0, Math.max(1, Math.floor(text.length * share)));
        fc.pre(cut.length < text.length);
        expect(readArguments(cut)).toEqual({ input: {}, malformedInput: cut });
      }),
    );
  });

  it('leaves strings alone when it repairs what stands around them', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        const broken = `{a: ${JSON.stringify(value)}, }`;
        expect(readArguments(broken).input).toEqual({ a: value });
      }),
    );
  });

  it.each([
    ['{"a":1} // done', '{"a":1}'],
    ['{a: 1e5, b: -2.5E-3}', '{"a": 1e5, "b": -2.5E-3}'],
    ["{'it': 'say \"hi\"'}", '{"it": "say \\"hi\\""}'],
  ])('repairs %s', (text, expected) => {
    expect(lenientJsonIn(`${text}\n`)).toEqual(JSON.parse(expected));
  });

  it.each(["{'a': 'it's'}", '{a: b}', '{"a": NaN}', '{"a": undefined}', '{"a" 1}', 'add(1)'])(
    'does not guess at %s',
    (text) => {
      expect(readArguments(text)).toEqual({ input: {}, malformedInput: text });
    },
  );

  it('takes a fence off, closed or not', () => {
    for (const fenced of [
      '```json\n{"a":1}\n```',
      '```{"a":1}```',
      '```\n{"a":1}',
      '\ufeff{"a":1}',
    ]) {
      expect(readArguments(fenced)).toEqual({ input: { a: 1 } });
    }
    for (const none of ['```', '````', '``````', '```json```']) {
      expect(readArguments(none).malformedInput).toBe(none);
    }
  });

  it('reads a fence full of blanks in a time that grows with its length', () => {
    const fence = (blanks: number) => '```' + '\n '.repeat(blanks) + 'x';
    const text = fence(1_500);
    expect(readArguments(text)).toEqual({ input: {}, malformedInput: text });
    expect(growthOf((blanks) => readArguments(fence(blanks)), 25_000)).toBeLessThan(9);
  });

  it('makes no prototype of a key', () => {
    const { input } = readArguments("{'__proto__': {'x': 1},}");
    expect(Object.hasOwn(input, '__proto__')).toBe(true);
    expect(Object.getPrototypeOf(input)).toBe(Object.prototype);
  });
});
