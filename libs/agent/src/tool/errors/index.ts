// The library's errors: their base, and those that tools and declarations raise.
export * from './agent-error';
export * from './route-response-error';
export * from './tool-errors';
