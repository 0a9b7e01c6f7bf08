import { resultText } from '../../message';
import { ToolResult } from '../../tool';
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

  it.each([undefined, ''])('calls %j of a tool that only reads empty', (value) => {
    expect(resultContentOf(value, true)).toEqual({ content: '(empty)', isError: false });
  });

  it('keeps an error of a ToolResult', () => {
    expect(resultContentOf(new ToolResult('no', true))).toEqual({ content: 'no', isError: true });
  });

  it.each<[string, unknown, unknown]>([
    ['nothing', undefined, 'Done'],
    ['no blocks', [], []],
    ['a block', text, [text]],
    ['a number', 5, '5'],
    ['a block that is none', [text, { type: 'text', text: 5 }], expect.stringContaining('":5}')],
    ['null among blocks', [text, null], expect.stringContaining(',null]')],
    ['a BigInt in a block', [{ ...image, size: 5n }], expect.stringContaining('"size":"5"')],
    ['a name without end', [{ ...image, name: 'n'.repeat(1_001) }], expect.any(String)],
    ['a type without end', [{ ...image, mediaType: 'n'.repeat(256) }], expect.any(String)],
  ])('makes something to read of a ToolResult with %s', (_, given, content) => {
    const made = resultContentOf(new ToolResult(given as never)).content;
    expect(made).toEqual(content);
    expect(() => JSON.stringify(made)).not.toThrow();
  });

  it('marks what cannot be read of what might have been a block', () => {
    const hostile = {
      get type(): never {
        throw new Error('no');
      },
    };
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(resultContentOf([hostile, proxy]).content).toBe(
      '[{"type":"[unreadable]"},"[unreadable]"]',
    );
  });

  it("keeps what it checked, whatever becomes of the tool's own", () => {
    const own = { type: 'text', text: 'said' };
    const list = [own];
    let reads = 0;
    const changing = {
      type: 'image',
      get url() {
        reads += 1;
        return reads === 1 ? 'https://example.com/a.png' : { toString: 'not text any more' };
      },
    };
    const contents = [own, list, new ToolResult(list as never), changing].map((value) =>
      resultContentOf(value),
    );
    own.text = 'changed';
    list.push(own);
    expect(contents.map(({ content }) => content)).toEqual([
      [{ type: 'text', text: 'said' }],
      [{ type: 'text', text: 'said' }],
      [{ type: 'text', text: 'said' }],
      [{ type: 'image', url: 'https://example.com/a.png' }],
    ]);
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

  describe('of pictures and files', () => {
    const MOST = 4 * 1024 * 1024;
    const picture = (bytes: number) =>
      ({
        type: 'image',
        mediaType: 'image/png',
        data: Buffer.alloc(bytes).toString('base64'),
      }) as const;
    const inline = (bytes: number) =>
      ({ type: 'image', url: `data:image/png;base64,${picture(bytes).data}` }) as const;
    const notice = (what: string) => ({
      type: 'text',
      text: `[Left out: ${what}. The pictures and files of a result have ${MOST} bytes at most. Ask for fewer, or for smaller ones.]`,
    });

    it.each([
      ['data', picture],
      ['an address that is the data', inline],
    ])('keeps as many bytes as of a route, of %s', (_, make) => {
      const whole = [make(MOST)];
      expect(limitContent(whole, 10)).toBe(whole);
      expect(limitContent([make(MOST + 1)], 10)).toEqual([notice(`image (${MOST + 1} bytes)`)]);
    });

    it('leaves out what has no room beside the others, and tells which', () => {
      const half = picture(MOST / 2);
      const file = { ...picture(MOST / 2), type: 'file', name: 'sales.pdf' } as const;
      expect(limitContent([half, text, file], 10)).toEqual([half, text, file]);
      expect(limitContent([half, image, text, file, image], 10)).toEqual([
        half,
        image,
        text,
        image,
        notice(`file "sales.pdf" (${MOST / 2} bytes)`),
      ]);
    });

    it('names a few of many, whatever the text has room for', () => {
      const address = { type: 'image', url: `https://${'a'.repeat(MOST)}` } as const;
      const long = { type: 'text', text: 'y'.repeat(500) } as const;
      const cut = limitContent([long, ...Array.from({ length: 1_000 }, () => address)], 200);
      const size = `image (${MOST + 8} bytes)`;
      expect(cut).toEqual([
        { type: 'text', text: expect.stringContaining('500 characters') as string },
        notice(`${Array(5).fill(size).join(', ')} and 995 more`),
      ]);
    });
  });
});
