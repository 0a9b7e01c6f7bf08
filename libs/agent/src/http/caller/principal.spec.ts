import { checkPrincipal, defaultPrincipal, UnknownPrincipalError } from './principal';

class ObjectId {
  toString(): string {
    return '64b7';
  }
}

describe('defaultPrincipal', () => {
  it.each([
    [{ id: 'alice' }, 'alice'],
    [{ id: 7 }, '7'],
    [{ id: 0 }, '0'],
    [{ id: 7n }, '7'],
    [{ id: new ObjectId() }, '64b7'],
    [{ sub: 'subject', userId: 'user' }, 'subject'],
    [{ id: null, userId: 'user' }, 'user'],
  ])('names %p %p', (user, principal) => {
    expect(defaultPrincipal({ user })).toBe(principal);
  });

  it.each([undefined, null, false])('treats the user %p as anonymous', (user) => {
    expect(defaultPrincipal({ user })).toBeUndefined();
  });

  it.each([
    [{}],
    [{ email: 'a@b.c' }],
    [{ id: '' }],
    [{ id: Number.NaN }],
    [{ id: {} }],
    [{ id: ['alice'] }],
    [{ id: true }],
    ['alice'],
    [true],
  ])('refuses the user %p rather than taking them for nobody', (user) => {
    expect(() => defaultPrincipal({ user })).toThrow(UnknownPrincipalError);
  });
});

describe('checkPrincipal', () => {
  it('accepts a name, and undefined for anonymous callers', () => {
    expect(checkPrincipal('alice')).toBe('alice');
    expect(checkPrincipal(undefined)).toBeUndefined();
  });

  it.each(['', 7, {}, Promise.resolve('alice')])('refuses %p', (principal) => {
    expect(() => checkPrincipal(principal)).toThrow(UnknownPrincipalError);
  });
});
