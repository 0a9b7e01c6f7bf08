/**
 * The compiler plugin: describes tools and DTOs from TypeScript types and doc comments, without
 * decorators. Compilers load it; an application does not.
 *
 * @module nestjs-agent/plugin
 */
import './compiler-check';

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
