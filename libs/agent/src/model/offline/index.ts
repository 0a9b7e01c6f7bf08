export { offline, type OfflineOptions } from './offline';
