import { textMessage } from '../../message';
import { headlineOf } from './headline';
import { EMPTY_SESSION } from './session-state';

describe('headlineOf', () => {
  const titleOf = (text: string): string | undefined =>
    headlineOf({ ...EMPTY_SESSION, messages: [textMessage('user', text)] }).title;

  it('shortens a long title', () => {
    expect(titleOf('a'.repeat(80))).toBe('a'.repeat(80));
    expect(titleOf('a'.repeat(81))).toBe(`${'a'.repeat(79)}…`);
  });

  it('does not cut a title within a character', () => {
    expect(titleOf(`${'a'.repeat(78)}😀 and more`)).toBe(`${'a'.repeat(78)}…`);
  });
});
