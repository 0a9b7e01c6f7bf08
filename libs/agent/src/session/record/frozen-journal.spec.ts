import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentEvent, Message } from '../../message';
import { problemsOf } from './fixtures/valid-history';
import type { RecordedEntry, StoredEntry } from './entries/session-entry';
import { applyEntry, sessionStateOf } from './session-fold';
import { EMPTY_SESSION } from './session-state';
import { eventsOfEntry } from './entry-events';

interface Frozen {
  readonly entries: readonly RecordedEntry[];
  readonly messages: readonly Message[];
  readonly events: readonly AgentEvent[];
}

/**
 * A journal of version 1, with its state and events. Never change it: users' databases contain such
 * sessions. A newer version gets its own file.
 */
const frozen = JSON.parse(
  readFileSync(join(__dirname, 'fixtures/journal-v1.json'), 'utf8'),
) as Frozen;

describe('a journal of version 1', () => {
  const stored = frozen.entries.map((entry, index): StoredEntry => ({
    position: index + 1,
    entry,
  }));

  it('is kept as it was', () => {
    const { messages } = sessionStateOf(stored);
    expect(messages).toEqual(frozen.messages);
    expect(problemsOf(messages)).toEqual([]);
  });

  it('is told as it was', () => {
    let state = EMPTY_SESSION;
    const events = stored.flatMap(({ entry }) => {
      state = applyEntry(state, entry);
      return eventsOfEntry(entry, state, 'ses_frozen');
    });
    expect(events).toEqual(frozen.events);
  });
});
