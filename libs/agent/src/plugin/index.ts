/**
 * The compiler plugin: what TypeScript's types and doc comments say of tools and DTOs needs no
 * decorator. Compilers load it; an application does not.
 *
 * @module nestjs-agent/plugin
 */
export {
  before,
  factory,
  type GenerateOptions,
  type JestCompiler,
  type MetadataVisitor,
  name,
  PluginMetadataGenerator,
  ReadonlyVisitor,
  type ReadonlyVisitorOptions,
  version,
} from './compiler';
export type { AgentPluginOptions } from './plugin-options';
