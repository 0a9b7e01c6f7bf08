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

  it.each<readonly [string, string, string]>([
    ['the scheme of credentials', 'Bearer sk-very-secret-key', 'Missing Bearer authentication'],
    ['the scheme of an address', 'https://shop.example/', 'See https://models.test/errors'],
    ['a folder of a key', '/home/app/keys/id_rsa', 'No model in /home/app/models'],
    ['a folder on Windows', 'C:\\Users\\app\\key.pem', 'No model in C:\\Users\\app\\models'],
    ['a relative path of a key', 'config/server.key', 'No server in config/models'],
    ['a short value', 'gpt-4', 'The model gpt-4 is busy'],
  ])('says what is like %s', (_, secret, said) => {
    expect(loggableWords({ message: said }, [secret])).toBe(said);
  });

  it.each<readonly [string, string, string, string]>([
    ['with a scheme', 'Basic dXNlcjpwYXNz', 'Not dXNlcjpwYXNz!', 'Not [redacted]'],
    ['in an address', 'https://user:hunter22@host.example', 'user:hunter22@ no', '[redacted] no'],
    ['in the middle', 'abcdefghijklmnop', 'the key (defghijk) is old', 'the key [redacted] is old'],
    [
      'of several words',
      'my dog is red',
      'no, my dog is red',
      'no, [redacted] [redacted] [redacted] [redacted]',
    ],
    [
      'of several lines',
      'abcdef\nghijkl',
      'not abcdef ghijkl here',
      'not [redacted] [redacted] here',
    ],
    [
      'broken by spaces',
      'abcdefghijkl',
      'key abcd efgh ijkl fails',
      'key [redacted] [redacted] [redacted] fails',
    ],
    [
      'broken by signs unseen',
      'abcdefghijkl',
      'key abcd\u200befgh fails',
      'key [redacted] [redacted] fails',
    ],
    ['in a path', '/home/app/keys/id_rsa', 'no /home/app/keys/id_rsa', 'no [redacted]'],
    ['in a relative path', 'config/server.key', 'no config/server.key', 'no [redacted]'],
    ['in an odd notation', 'ab"cdefghijkl', 'no ab\\"cdefghijkl', 'no [redacted]'],
  ])('leaves out a secret %s', (_, secret, said, words) => {
    expect(loggableWords({ message: said }, [secret])).toBe(words);
  });

  it('leaves out what begins like a secret where the words were cut', () => {
    const long = `${'[abcdefghijkl] '.repeat(39)} abcdefghijkl`;
    const looksSecret = (word: string) => word.includes('[abc');
    const said = loggableWords({ message: `${long}mnop` }, [], looksSecret);
    expect(said).not.toMatch(/ab/);
  });

  it('is short', () => {
    expect(loggableWords({ message: 'why '.repeat(10_000) }, sent)).toHaveLength(300);
  });
});
