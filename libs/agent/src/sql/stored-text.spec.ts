import * as fc from 'fast-check';
import { fromStoredText, toStoredText } from './stored-text';

describe('stored text', () => {
  it('comes back as it was, and is something PostgreSQL takes', () => {
    // Random code units, including lone surrogates and NUL.
    const anything = fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)) });
    fc.assert(
      fc.property(anything, (text) => {
        const stored = toStoredText(text);
        expect(fromStoredText(stored)).toBe(text);
        expect(stored).not.toContain('\u0000');
        expect(Buffer.from(stored).toString()).toBe(stored);
      }),
    );
  });

  it('leaves ordinary ids as they are', () => {
    expect(toStoredText('4f9c-ümlaut')).toBe('4f9c-ümlaut');
  });
});
