import { duration, json, outputText, unseen } from './format';

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

describe('duration', () => {
  it.each([
    [340.4, '340 ms'],
    [999.6, '1.0 s'],
    [2_449, '2.4 s'],
    [59_499, '59.5 s'],
    [59_980, '1 min 0 s'],
    [65_000, '1 min 5 s'],
    [119_700, '2 min 0 s'],
  ])('tells %d ms in the unit that fits', (ms, text) => {
    expect(duration(ms)).toBe(text);
  });
});

describe('outputText', () => {
  it('indents JSON, and leaves other text as it is', () => {
    expect(outputText('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}');
    expect(outputText('[not json')).toBe('[not json');
    expect(outputText([{ type: 'text', text: 'one' }])).toBe('one');
  });

  it('does not indent what is nested so deep that nothing but blanks would be seen', () => {
    expect(outputText(nested(10_000))).toBe(nested(10_000));
    expect(outputText(nested(64))).toContain('\n');
    expect(json(JSON.parse(nested(70)) as never)).toBe(nested(70));
  });
});

describe('unseen', () => {
  it('writes invisible characters out', () => {
    expect(unseen('shop\u202epohs\u200d')).toBe('shop\\u{202e}pohs\\u{200d}');
    expect(unseen('a\rb')).toBe('a\\u{d}b');
  });

  it.each([
    ['lines of Windows', 'one\r\n\ttwo\r\n'],
    ['an emoji of several', 'Done 👩🏽‍💻 ❤️‍🔥'],
    ['Persian', 'می‌خواهم'],
    ['Sinhala', 'ශ්‍රී'],
  ])('has nothing to say of %s', (_, text) => {
    expect(unseen(text)).toBe('');
  });
});
