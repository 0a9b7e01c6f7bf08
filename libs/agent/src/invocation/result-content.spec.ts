import { NotFoundException } from '@nestjs/common';
import fc from 'fast-check';
import { resultText } from '../message';
import { ToolError, ToolResult } from '../tool';
import { jsonText, jsonValueOf } from './json-value';
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

describe('jsonText', () => {
  it('survives cycles, depth and BigInts inside', () => {
    const cycle: Record<string, unknown> = { big: 1n, at: new Date(0) };
    cycle['self'] = cycle;
    cycle['map'] = new Map([['back', cycle]]);
    expect(JSON.parse(jsonText(cycle))).toEqual({
      big: '1',
      at: '1970-01-01T00:00:00.000Z',
      self: '[circular]',
      map: { back: '[circular]' },
    });
    let deep: unknown = 1;
    for (let level = 0; level < 10_000; level += 1) deep = [deep];
    expect(jsonText(deep)).toContain('[too deep]');
  });

  it('says of an error what is meant for the model, wherever it stands', () => {
    const driver = Object.assign(new Error('connect ECONNREFUSED 10.0.0.1'), { path: '/run/db' });
    const request = Object.assign(new Error('Failed'), { toJSON: () => ({ token: 'hunter2' }) });
    const unexpected = {
      code: 'tool_failed',
      message: 'The tool failed with an unexpected error.',
    };
    const cycle: Record<string, unknown> = { reason: driver };
    cycle['self'] = cycle;
    expect(
      JSON.parse(
        jsonText({
          settled: [{ reason: driver }, { reason: request }],
          cycle,
          said: new ToolError('No order 17.'),
          refused: new NotFoundException('No such thing'),
        }),
      ),
    ).toEqual({
      settled: [{ reason: unexpected }, { reason: unexpected }],
      cycle: { reason: unexpected, self: '[circular]' },
      said: { code: 'tool_error', message: 'No order 17.' },
      refused: { code: 'http_error', message: 'No such thing' },
    });
  });

  it('marks what cannot be read, and says the rest', () => {
    class Broken {
      toJSON(): never {
        throw new Error('no');
      }
    }
    const half = {
      id: 1,
      get lazy(): never {
        throw new Error('no');
      },
    };
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(JSON.parse(jsonText({ broken: new Broken(), half, proxy, list: [1n] }))).toEqual({
      broken: '[unreadable]',
      half: { id: 1, lazy: '[unreadable]' },
      proxy: '[unreadable]',
      list: ['1'],
    });
    expect(jsonText(new Broken())).toBe('"[unreadable]"');
  });

  it('is JSON for whatever there is', () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withMap: true, withSet: true }), (value) => {
        expect(() => JSON.parse(jsonText(value)) as unknown).not.toThrow();
      }),
    );
  });

  it('makes values that share nothing with the original', () => {
    const original = { list: [1] };
    const copy = jsonValueOf(original);
    expect(copy).toEqual(original);
    expect(copy).not.toBe(original);
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
