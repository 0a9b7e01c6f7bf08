export { offline, OfflineModel, type OfflineOptions } from './offline.model';
