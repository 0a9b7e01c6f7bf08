// A deterministic stand-in for a model, which needs no network.
export { offline, type OfflineOptions } from './offline';
