export * from './chat-model';
export * from './model-error';
