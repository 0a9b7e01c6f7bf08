import type { Message } from '../../message';
import { shownMessages } from './shown-calls';

describe('a call whose tool is gone', () => {
  it('is shown without a malformed input, which may hold anything', () => {
    const call = { type: 'tool_use', id: 'c', name: 'unlock', input: {} } as const;
    const messages: readonly Message[] = [
      { role: 'assistant', content: [{ ...call, malformedInput: '{"pin": "9876" "door"' }] },
    ];
    const shown = shownMessages(messages, () => undefined, new Map());
    expect(shown).toEqual([{ role: 'assistant', content: [call] }]);
  });
});
