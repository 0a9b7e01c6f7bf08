import { NotFoundException } from '@nestjs/common';
import fc from 'fast-check';
import { ToolError } from '../../tool';
import { jsonText, jsonValueOf } from './json-text';

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

  it('tells friends of friends apart from a way without end', () => {
    // As an ORM's entities, each of which knows all others: the ways through them are beyond count.
    const friends = Array.from({ length: 14 }, (_, id) => ({ id, friends: [] as unknown[] }));
    for (const friend of friends) friend.friends = friends.filter((other) => other !== friend);
    const text = jsonText(friends);
    expect(text).toContain('[circular]');
    expect(text).toContain('[too large]');
    expect(text.startsWith(`[{"id":0,"friends":[{"id":1`)).toBe(true);
  });

  it('stops at so many values, of what is shared and of what is long', () => {
    let shared: unknown = 1;
    for (let level = 0; level < 40; level += 1) shared = { a: shared, b: shared };
    const texts = [shared, new Array(4_000_000_000)].map(jsonText);
    for (const text of texts) {
      expect(text).toContain('[too large]');
      expect(() => JSON.parse(text) as unknown).not.toThrow();
    }
  });

  it('never spreads bytes out, nor asks an error for its own JSON', () => {
    const bytes = Buffer.from('abc');
    const spread = jest.spyOn(bytes, 'toJSON');
    const refusing = Object.assign(new Error('no'), {
      toJSON: () => {
        throw new Error('no');
      },
    });
    const cycle: Record<string, unknown> = { bytes, view: new DataView(new ArrayBuffer(8)) };
    cycle['self'] = cycle;
    expect(JSON.parse(jsonText([bytes, refusing, cycle, new Float32Array([0.5, 1])]))).toEqual([
      '[3 bytes]',
      { code: 'tool_failed', message: 'The tool failed with an unexpected error.' },
      { bytes: '[3 bytes]', view: '[8 bytes]', self: '[circular]' },
      [0.5, 1],
    ]);
    expect(spread).not.toHaveBeenCalled();
  });

  it('says of plain values what JSON.stringify says', () => {
    const isPlain = { withBoxedValues: true, withDate: true, withSparseArray: true };
    fc.assert(
      fc.property(fc.anything({ ...isPlain, maxDepth: 5 }), (value) => {
        expect(jsonText(value)).toBe(JSON.stringify(value) ?? 'null');
      }),
    );
    const keyed = { at: { toJSON: (key: string) => `called ${key}` } };
    expect(jsonText(keyed)).toBe('{"at":"called at"}');
    expect(jsonText(JSON.parse('{"__proto__":{"a":1}}'))).toBe('{"__proto__":{"a":1}}');
  });
});
