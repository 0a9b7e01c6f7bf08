import { Sealing } from './sealing';

const RUN = { runId: 'run_1', sessionId: 'ses_1', principal: 'alice' };
const OLD = 'an older secret of enough characters';
const NEW = 'a newer secret, also of enough length';
const LATER = Date.now() + 60_000;

describe('a sealed claim', () => {
  const sealing = new Sealing([NEW, OLD]);

  it('opens for its run, and shows nothing of the claim', () => {
    const sealed = sealing.seal('alice@tenant 7 \ud800', RUN, LATER);
    expect(sealing.open(sealed, RUN)).toContain('alice@tenant 7');
    expect(sealed).not.toContain('alice');
    expect(sealing.seal('x', RUN, LATER)).not.toBe(sealing.seal('x', RUN, LATER));
  });

  it.each([
    ['another run', { ...RUN, runId: 'run_2' }],
    ['another session', { ...RUN, sessionId: 'ses_2' }],
    ['another principal', { ...RUN, principal: 'bob' }],
    ['an anonymous caller', { runId: 'run_1', sessionId: 'ses_1' }],
    ['ids that read alike', { runId: 'run_1|ses_1', sessionId: 'alice', principal: '' }],
  ])('does not open for %s', (_who, run) => {
    expect(sealing.open(sealing.seal('claim', RUN, LATER), run)).toBeUndefined();
  });

  it('does not open after its deadline, nor with another one', () => {
    const sealed = sealing.seal('claim', RUN, LATER);
    expect(sealing.open(sealed, RUN, LATER + 1)).toBeUndefined();
    const prolonged = sealed.replace(String(LATER), String(LATER + 1_000));
    expect(sealing.open(prolonged, RUN)).toBeUndefined();
  });

  it('does not open if any character is changed', () => {
    const sealed = sealing.seal('claim', RUN, LATER);
    for (let place = 0; place < sealed.length; place += 1) {
      const other = sealed[place] === 'A' ? 'g' : 'A';
      const changed = sealed.slice(0, place) + other + sealed.slice(place + 1);
      expect(sealing.open(changed, RUN)).toBeUndefined();
    }
    for (const text of ['', 'x', '1.2.3', `1.${LATER}.AAAAAAAAAAAAAAAA.A`, sealed.slice(0, -9)]) {
      expect(sealing.open(text, RUN)).toBeUndefined();
    }
  });

  it('opens with older keys, is made with the first, and with no other', () => {
    const old = new Sealing([OLD]).seal('claim', RUN, LATER);
    expect(sealing.open(old, RUN)).toBe('claim');
    const sealed = sealing.seal('claim', RUN, LATER);
    expect(new Sealing([NEW]).open(sealed, RUN)).toBe('claim');
    expect(new Sealing([OLD]).open(sealed, RUN)).toBeUndefined();
    expect(() => new Sealing([NEW, 'short'])).toThrow(/at least 32 characters/);
  });
});
