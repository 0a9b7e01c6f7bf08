export * from './barrier';
export * from './chat-model-contract';
export * from './scripted.model';
export * from './session-store-contract';
