import { resultText } from '../message';
import { ToolResult } from '../tool';
import { isReadyContent, resultContentOf } from './result-content';
import { limitContent } from './result-limit';

const text = { type: 'text', text: 'hi' } as const;
const image = { type: 'image', mediaType: 'image/png', data: 'AA==' } as const;

describe('resultContentOf', () => {
  it.each<[string, unknown, unknown]>([
    ['text', 'plain', 'plain'],
    ['empty text', '', ''],
    ['nothing', undefined, 'Done'],
    ['null', null, 'null'],
    ['a number', 42, '42'],
    ['a boolean', false, 'false'],
    ['no number', NaN, 'null'],
    ['a BigInt', 10n, '"10"'],
    ['an object', { a: [1] }, '{"a":[1]}'],
    ['an empty list', [], '[]'],
    ['a date', new Date(0), '"1970-01-01T00:00:00.000Z"'],
    ['a Map', new Map([['a', 1]]), '{"a":1}'],
    ['a Set', new Set([1]), '[1]'],
    ['bytes', Buffer.from('abc'), '"[3 bytes]"'],
    ['a function', () => 1, 'null'],
    ['a content block', text, [text]],
    ['content blocks', [text, image], [text, image]],
    [
      'an object with a type of its own',
      { type: 'text', text: 'a', id: 1 },
      '{"type":"text","text":"a","id":1}',
    ],
    ['a file that is no block', { type: 'file', size: 1 }, '{"type":"file","size":1}'],
    ['a ToolResult', new ToolResult([image]), [image]],
  ])('converts %s', (_, value, content) => {
    expect(resultContentOf(value)).toEqual({ content, isError: false });
  });

  it('keeps an error of a ToolResult', () => {
    expect(resultContentOf(new ToolResult('no', true))).toEqual({ content: 'no', isError: true });
  });

  it('knows what is meant for the model as it is', () => {
    expect([text, [image], new ToolResult('x')].map(isReadyContent)).toEqual([true, true, true]);
    expect([{}, [], 'x', null, undefined, [1]].some(isReadyContent)).toBe(false);
  });
});

describe('limitContent', () => {
  it('leaves what fits', () => {
    expect(limitContent('abc', 3)).toBe('abc');
    expect(limitContent([text, image], 2)).toEqual([text, image]);
  });

  it('cuts text to the limit, notice included, and says how long it was', () => {
    const cut = limitContent('x'.repeat(30_000), 20_000);
    expect(cut).toHaveLength(20_000);
    expect(cut).toContain('30000 characters');
  });

  it('does not cut a character in half', () => {
    const notice = limitContent('x'.repeat(1_000), 200).length - 200;
    expect(notice).toBe(0);
    for (const limit of [200, 201]) {
      const cut = resultText(limitContent('😀'.repeat(1_000), limit));
      expect(Buffer.from(cut, 'utf8').toString('utf8')).toBe(cut);
      expect(cut).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/);
    }
  });

  it('cuts text blocks together and keeps pictures', () => {
    const long = { type: 'text', text: 'y'.repeat(500) } as const;
    const cut = limitContent([long, image, long, long], 700);
    expect(cut).toHaveLength(3);
    expect(cut[1]).toBe(image);
    expect(cut[2]).toMatchObject({ text: expect.stringContaining('Cut') as string });
  });
});
