// How compilers run the plugin: `nest build` and `nest start` (before), ts-jest (factory), and the
// metadata generator for SWC (ReadonlyVisitor).
export { before } from './before';
export { factory, type JestCompiler, name, version } from './jest-transformer';
export {
  type GenerateOptions,
  type MetadataVisitor,
  PluginMetadataGenerator,
} from './metadata-generator';
export { ReadonlyVisitor, type ReadonlyVisitorOptions } from './readonly-visitor';
