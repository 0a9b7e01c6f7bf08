// A tool's schema in the form that a provider accepts.
export * from './accepted-schema';
export * from './grammar-schema';
export * from './plain-root';
export * from './plain-unions';
export * from './strict-dialect';
export * from './strict-schema';
