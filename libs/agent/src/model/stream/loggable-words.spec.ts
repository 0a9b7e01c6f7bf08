import { loggableWords, secretsIn } from './loggable-words';

const sent = secretsIn(
  new Headers({
    authorization: 'Bearer sk-very-secret-key',
    'x-tenant': 'a',
    'content-type': 'application/json',
  }),
);

describe('loggableWords', () => {
  it.each<readonly [unknown, string]>([
    [{ message: 'Invalid type for tools.0, an array' }, 'Invalid type for tools.0, an array'],
    [{ detail: 'no application/json' }, '{"detail":"no application/json"}'],
    ['as a text', 'as a text'],
    [null, 'null'],
    [{ message: 'No: sk-very-secret-key.' }, 'No: [redacted]'],
    [{ message: 'keys like "sk-very****" are old' }, 'keys like [redacted] are old'],
    [{ key: 'sk-very-secret-key' }, '[redacted]'],
    [{ message: 'no\n[Nest] a forged line\u202e\u001b[31m' }, 'no [Nest] a forged line [31m'],
  ])('%j', (said, words) => {
    expect(loggableWords(said, sent)).toBe(words);
  });

  it('is short', () => {
    expect(loggableWords({ message: 'why '.repeat(10_000) }, sent)).toHaveLength(300);
  });
});
