import { printable } from './printable';

describe('a foreign text in the log', () => {
  it.each([
    ['a\r\nb', 'a\\u000d\\u000ab'],
    ['\u001b[2K\u009b31m', '\\u001b[2K\\u009b31m'],
    ['a\u202eb\u2066\u200b', 'a\\u202eb\\u2066\\u200b'],
    ['a\u2028b\u2029', 'a\\u2028b\\u2029'],
    ['\u{e0041}', '\\udb40\\udc41'],
  ])('has its unprintable characters written out: %j', (text, shown) => {
    expect(printable(text)).toBe(shown);
  });

  it('keeps all others', () => {
    const text = 'Grüße, 世界 🎉 "x" \\ a\u00a0b';
    expect(printable(text)).toBe(text);
  });
});
