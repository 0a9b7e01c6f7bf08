import { StructureMeter } from './structure-meter';

/** The least limit that allows a body, whichever way it is cut. */
function countOf(body: string): number {
  const bytes = Buffer.from(body);
  const allows = (limit: number, step: number): boolean => {
    const meter = new StructureMeter(limit);
    let isAllowed = true;
    for (let at = 0; at < bytes.length; at += step) {
      isAllowed = meter.allows(bytes.subarray(at, at + step));
    }
    return isAllowed;
  };
  let limit = 0;
  while (!allows(limit, bytes.length)) limit += 1;
  expect(allows(limit, 1)).toBe(true);
  expect(limit === 0 || allows(limit - 1, 1)).toBe(limit === 0);
  return limit;
}

describe('StructureMeter', () => {
  it.each([
    ['small values', '[{},{},0]', 9],
    ['a short text', '{"a":"bc"}', 10],
    ['a long text', `{"a":"${'x'.repeat(1_000)}"}`, 7],
    ['a long text with quotes in it', `["${'\\"'.repeat(500)}",0]`, 5],
    ['a long text that ends with a backslash', `["${'x'.repeat(500)}\\\\",0]`, 5],
    ['what stands after a long text', `["${'x'.repeat(500)}",[],[]]`, 9],
  ])('counts %s', (_what, body, bytes) => {
    expect(countOf(body)).toBe(bytes);
  });
});
