import { lastItemsJson, shortenedJson } from './shortened-json';

describe('shortened JSON', () => {
  it('is the whole value if that fits', () => {
    expect(shortenedJson({ city: 'Bern' }, 15)).toBe('{"city":"Bern"}');
  });

  it.each([20, 50, 100, 1_000])('stays JSON within %s characters', (maxChars) => {
    const values = [
      { text: 'a'.repeat(5_000) },
      { deep: [{ one: 'a"b\n'.repeat(900), two: 'c'.repeat(300) }] },
      Array.from({ length: 500 }, (_, index) => index),
    ];
    for (const value of values) {
      const json = shortenedJson(value, maxChars);
      expect(json.length).toBeLessThanOrEqual(maxChars);
      expect(() => JSON.parse(json) as unknown).not.toThrow();
    }
  });

  it('keeps the last items of a list, and at least a part of one', () => {
    const items = ['first', 'second', 'third'].map((content) => ({ content }));
    expect(lastItemsJson(items, 1_000)).toBe(JSON.stringify(items));
    expect(lastItemsJson(items, 45)).toBe(JSON.stringify(items.slice(1)));
    const [part] = JSON.parse(lastItemsJson([{ content: 'a'.repeat(500) }], 60)) as [
      { content: string },
    ];
    expect(part.content).toMatch(/^a+…$/);
  });
});
