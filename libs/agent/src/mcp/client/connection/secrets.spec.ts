import { Secrets } from './secrets';

describe('secrets', () => {
  it('mask values, and their words, but not the name of a scheme', () => {
    const secrets = new Secrets();
    secrets.configure(['Bearer token-of-alice']);
    expect(secrets.mask('Bearer token-of-alice')).toBe('***');
    expect(secrets.mask('token-of-alice is no Bearer token')).toBe('*** is no Bearer token');
  });

  it('mask values within JSON', () => {
    const secrets = new Secrets();
    secrets.configure(['pass"word\\1']);
    expect(secrets.mask(JSON.stringify({ a: 'pass"word\\1' }))).toBe('{"a":"***"}');
  });

  it('mask the whole of a value that holds another', () => {
    const secrets = new Secrets();
    secrets.add(['secret', 'secret-and-more']);
    expect(secrets.mask('secret-and-more, secret')).toBe('***, ***');
  });

  it('mask the whole of values that overlap, whatever their characters', () => {
    const secrets = new Secrets();
    secrets.add([
      'abc.*def',
      'f$&ghijkl',
      '漢字-秘密-\ud83d\ude00',
      'shared-start-1',
      'shared-start-2',
    ]);
    expect(secrets.mask('abc.*def$&ghijkl, abc.*def')).toBe('***, ***');
    expect(secrets.mask('漢字-秘密-\ud83d\ude00shared-start-2')).toBe('******');
    expect(secrets.mask('shared-start-3 abcddef')).toBe('shared-start-3 abcddef');
  });

  it('mask a value that overlaps itself', () => {
    const secrets = new Secrets();
    secrets.add(['abcabcabc']);
    expect(secrets.mask('-abcabcabcabc-abcabc')).toBe('-***-abcabc');
  });

  it('mask new values after thousands, and forget neither these nor configured ones', () => {
    const secrets = new Secrets();
    secrets.configure(['configured-key']);
    secrets.add(['used-again']);
    for (let count = 0; count < 2_500; count += 1) {
      secrets.add([`token-${count}.`]);
      secrets.add(['used-again']);
    }
    const text = 'configured-key token-0. token-2499. used-again';
    expect(secrets.mask(text)).toBe('*** token-0. *** ***');
  });

  it('mask a configured value that is also made for requests', () => {
    const secrets = new Secrets();
    secrets.configure(['configured-key']);
    secrets.add(['configured-key']);
    for (let count = 0; count < 1_500; count += 1) secrets.add([`token-${count}.`]);
    expect(secrets.mask('configured-key')).toBe('***');
  });

  it('leave no beginning of a value at a cut', () => {
    const secrets = new Secrets();
    secrets.configure(['abcdefghijkl']);
    expect(secrets.maskCut('abcdefghijkl, abcdefghijk')).toBe('***, ');
    expect(secrets.maskCut('x abcdefghijkl')).toBe('x ***');
    secrets.configure(['xends-as-it-begins-x']);
    expect(secrets.maskCut('an xends-as-it-begins-x')).toBe('an ***');
    expect(secrets.maskCut('nothing to hide')).toBe('nothing to hide');
  });
});
