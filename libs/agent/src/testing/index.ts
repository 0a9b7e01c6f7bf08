export * from './barrier';
export * from './scripted.model';
