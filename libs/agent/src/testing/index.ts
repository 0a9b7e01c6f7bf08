export * from './barrier';
export * from './scripted.model';
export * from './session-store-contract';
