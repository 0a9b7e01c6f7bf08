// The official client, which is an optional package: its loader, and the types of what is used.
export { installed, loadPeer, loadStdioPeer } from './load-peer';
export type * from './peer.interface';
