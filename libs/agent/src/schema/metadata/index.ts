// Readers of a class's metadata: that of class-validator, class-transformer, swagger, this library
// and its compiler plugin. No schema is built here.
export * from './class-transformer.metadata';
export * from './class-type';
export * from './class-validator.metadata';
export * from './initial-values';
export * from './own.metadata';
export * from './plugin.metadata';
export * from './swagger.metadata';
