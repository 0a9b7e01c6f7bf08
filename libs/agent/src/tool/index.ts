// The types of tools and their calls, and their errors. Plain types, without Nest.
export * from './boot-report';
export * from './errors';
export * from './json-schema';
export * from './optional-package';
export * from './permission';
export * from './tool';
export * from './tool-call';
export * from './tool-context';
export * from './tool-definition';
export * from './tool-digest';
export * from './tool-name';
export * from './tool-options';
export * from './tool-result';
export * from './tool-text';
export * from './tool-traits';
