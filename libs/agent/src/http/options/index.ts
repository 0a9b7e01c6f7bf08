// The options of the endpoints, and their injection token.
export * from './http-options.interface';
export * from './http.constants';
export * from './protocol-options';
export * from './workbench-options';
