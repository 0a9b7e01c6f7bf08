import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import type { JsonValue } from '../../message';
import { codeOf } from './code-text';

const valueOf = (code: string): JsonValue =>
  JSON.parse(runInNewContext(`JSON.stringify(${code})`) as string) as JsonValue;

describe('codeOf', () => {
  it('writes any JSON so that it is the same JSON when it runs', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom("'", '"', '`', '${1}', '\\', '\u2028', '*/', '__proto__', 'a-b', '\n'),
    );
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 4 }),
        fc.array(fc.tuple(texts, texts)),
        (value, pairs) => {
          const whole = [value, Object.fromEntries(pairs)] as JsonValue;
          expect(valueOf(codeOf(whole))).toEqual(JSON.parse(JSON.stringify(whole)));
        },
      ),
    );
  });

  it('sets no prototype', () => {
    const code = codeOf(JSON.parse('{"__proto__":{"isAdmin":true}}') as JsonValue);
    expect(runInNewContext(`Object.keys(${code})`)).toEqual(['__proto__']);
    expect(runInNewContext(`(${code}).isAdmin`)).toBeUndefined();
  });

  it('reads as it would be written by hand', () => {
    expect(codeOf({ name: 'add', input: { a: 1, 'b-c': "it's" } })).toBe(
      `{ name: 'add', input: { a: 1, 'b-c': "it's" } }`,
    );
    expect(codeOf({ text: 'x'.repeat(90) }, '  ')).toBe(`{\n    text: '${'x'.repeat(90)}',\n  }`);
  });
});
