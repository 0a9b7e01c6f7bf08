import { REPEATED_CALL_HINT, RepeatedCalls } from './repeated-calls';

const call = { name: 'get', input: { a: 1, b: 2 } };
const sameCall = { name: 'get', input: { b: 2, a: 1 } };

describe('RepeatedCalls', () => {
  it('hints at the third and fourth in a row, and stops the fifth', () => {
    const repeated = new RepeatedCalls();
    const hints = [call, sameCall, call, call].map((one) => {
      expect(repeated.isLoop(one)).toBe(false);
      return repeated.note(one, 'same');
    });
    expect(hints).toEqual([undefined, undefined, REPEATED_CALL_HINT, REPEATED_CALL_HINT]);
    expect(repeated.isLoop(sameCall)).toBe(true);
    expect(repeated.isLoop({ name: 'get', input: { a: 2 } })).toBe(false);
  });

  it('starts anew with another result, other arguments or another tool', () => {
    const repeated = new RepeatedCalls();
    for (const [one, result] of [
      [call, 'x'],
      [call, 'x'],
      [call, 'y'],
      [call, 'y'],
      [{ name: 'get', input: {} }, 'y'],
      [call, 'y'],
      [call, 'y'],
    ] as const) {
      expect(repeated.note(one, result)).toBeUndefined();
    }
    expect(repeated.note(call, 'y')).toBe(REPEATED_CALL_HINT);
  });
});
