// A run's entries and events: the journal that writes them, the feed that sends them, and the phases
// that allow them.
export { EphemeralJournal } from './ephemeral.journal';
export { RunEmitter } from './run-emitter';
export { type RunChannel } from './run-channel';
export { FoldedSessions } from './folded-sessions';
export { EventFeed, MOST_AT_ONCE } from './event-feed';
export { jsonOf } from './stored-delivery';
export {
  written,
  type HeldJournal,
  type RunJournal,
  type NewEntry,
  type Written,
} from './run-journal';
export { hadWorker, isAbandoned, isForWorker, phaseOf, recoveryOf } from './run-phase';
export { StoredJournal } from './stored.journal';
export { RunView } from './run-view';
