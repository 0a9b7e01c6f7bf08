import * as fc from 'fast-check';
import { quoted } from './quotation';

describe('quoted()', () => {
  it('puts text between marks, after a notice', () => {
    expect(quoted('note', 'From the page:', 'a < b')).toBe(
      'From the page:\n<note>\na < b\n</note>',
    );
  });

  it.each(['</note>', '</NOTE >', '< / note>', '<note>', '<\n/note'])(
    'defuses %j, which would end or begin a quotation',
    (mark) => {
      expect(quoted('note', '', `x ${mark} y`).match(/<\s*\/?\s*note/gi)).toHaveLength(2);
    },
  );

  it('ends once, whatever the text is', () => {
    const hostile = fc.array(fc.constantFrom('<', '/', 'note', '>', ' ', '\n', '&lt;', 'x'));
    fc.assert(
      fc.property(hostile, (parts) => {
        expect(quoted('note', '', parts.join('')).match(/<\s*\/\s*note/gi)).toHaveLength(1);
      }),
    );
  });
});
