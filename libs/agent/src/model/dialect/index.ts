export * from './accepted-schema';
export * from './plain-root';
export * from './strict-dialect';
export * from './strict-schema';
