// A deterministic stand-in for a model, which needs no network.
export { offline } from './offline';
