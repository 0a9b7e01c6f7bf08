// Notifications of changed lists, and the streams that carry them.
export { ChangeStreams } from './change.streams';
export { ListChanges } from './list-changes';
export { OpenStreams } from './open-streams';
