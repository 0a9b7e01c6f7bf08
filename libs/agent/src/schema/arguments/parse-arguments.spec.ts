import { guardInput, MAX_BYTES, parseArguments } from './parse-arguments';

function nested(levels: number): unknown {
  let value: unknown = {};
  for (let level = 1; level < levels; level++) value = { a: value };
  return value;
}

describe('guardInput', () => {
  it('accepts plain JSON', () => {
    expect(guardInput({ a: [1, 'b', null, true, { c: 1.5 }], d: undefined })).toEqual([]);
    expect(guardInput(Object.assign(Object.create(null) as object, { a: 1 }))).toEqual([]);
  });

  it.each(['__proto__', 'constructor', 'prototype'])('refuses the key %s at any depth', (key) => {
    const value = JSON.parse(`{"a":[{"${key}":{"x":1}}]}`) as unknown;
    expect(guardInput(value)).toEqual([{ path: `/a/0/${key}`, message: 'is not an allowed key' }]);
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  it('allows 32 levels and no more', () => {
    expect(guardInput(nested(32))).toEqual([]);
    expect(guardInput(nested(33))).toHaveLength(1);
    expect(guardInput(nested(100_000))).toHaveLength(1);
  });

  it('allows 256 kB and no more', () => {
    expect(guardInput({ a: 'x'.repeat(MAX_BYTES - 100) })).toEqual([]);
    expect(guardInput({ a: 'é'.repeat(MAX_BYTES / 2) })).toEqual([
      { path: '', message: `larger than ${MAX_BYTES} bytes of JSON` },
    ]);
    expect(guardInput(Array.from({ length: MAX_BYTES }, () => 1))).toHaveLength(1);
  });

  it('refuses what is no JSON', () => {
    for (const value of [
      { a: () => 1 },
      { a: Symbol('a') },
      { a: 1n },
      { a: Number.NaN },
      { a: new Date() },
      undefined,
    ])
      expect(guardInput(value)).toHaveLength(1);
  });

  it('escapes keys in pointers', () => {
    expect(guardInput({ 'a/b~c': Number.NaN })).toEqual([
      { path: '/a~1b~0c', message: 'must be a finite number' },
    ]);
  });
});

describe('parseArguments', () => {
  it('takes no text at all for no arguments', () => {
    for (const input of [undefined, '', '  \n']) expect(parseArguments(input)).toEqual({});
    expect(parseArguments('{"a":1}')).toEqual({ a: 1 });
  });

  it('refuses what is no JSON object', () => {
    for (const input of ['[]', '"a"', 'null', '{', '12'])
      expect(() => parseArguments(input)).toThrow('Invalid arguments');
    expect(() => parseArguments('{"constructor":{}}')).toThrow(
      '/constructor: is not an allowed key',
    );
  });
});
