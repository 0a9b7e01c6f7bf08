// The official client, an optional package: its loader, and types for the parts in use.
export { installed, loadPeer, loadStdioPeer } from './load-peer';
export type * from './peer.interface';
