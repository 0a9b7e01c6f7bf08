import { signalIn } from './signal-text';

describe('a signal as a channel has it', () => {
  it.each([{ type: 'stop' }, { type: 'delivered', callId: 'call 1' }] as const)(
    'is the one that was sent: $type',
    (signal) => {
      expect(signalIn(JSON.stringify(signal))).toEqual(signal);
    },
  );

  it('has nothing but what a signal may have', () => {
    expect(signalIn('{"type":"stop","runId":"other","__proto__":{}}')).toEqual({ type: 'stop' });
  });

  it.each([
    '',
    'stop',
    'null',
    '[]',
    '{"type":"start"}',
    '{"type":"delivered"}',
    '{"type":"delivered","callId":{"toString":1}}',
    JSON.stringify({ type: 'delivered', callId: 'x'.repeat(2_000) }),
  ])('is refused where it is none, text %#', (text) => {
    expect(signalIn(text)).toBeUndefined();
  });
});
