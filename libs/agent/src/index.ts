export * from './message';
export * from './tool';
export * from './model';
export * from './session';
