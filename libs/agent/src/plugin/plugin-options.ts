/**
 * Options of the compiler plugin, in `nest-cli.json`.
 *
 * @example
 * import type { AgentPluginOptions } from 'nestjs-agent/plugin';
 *
 * const options: AgentPluginOptions = {
 *   dtoFileNameSuffix: ['.dto.ts', '.model.ts'],
 *   context: ['Tenant'],
 * };
 */
export interface AgentPluginOptions {
  /**
   * File name endings: all classes in such files are described; `['.dto.ts', '.entity.ts']` by
   * default. In other files, only classes with public properties are described.
   */
  readonly dtoFileNameSuffix?: string | readonly string[];
  /**
   * Names of classes that the application provides as context: parameters of these types are not
   * arguments of a tool. None by default.
   */
  readonly context?: readonly string[];
}

/** The options with their defaults. */
export interface PluginSettings {
  readonly dtoFileNameSuffix: readonly string[];
  readonly context: readonly string[];
}

/** Includes the options of `ReadonlyVisitor`, and those that the Nest CLI adds. */
const KNOWN: ReadonlySet<string> = new Set([
  'dtoFileNameSuffix',
  'context',
  'esmCompatible',
  'pathToSource',
  'readonly',
]);

/** @throws TypeError for an unknown option, and for one of a wrong kind */
export function settingsOf(options: AgentPluginOptions = {}): PluginSettings {
  const unknown = Object.keys(options).find((name) => !KNOWN.has(name));
  if (unknown !== undefined)
    throw new TypeError(`nestjs-agent/plugin: there is no option "${unknown}".`);
  const { dtoFileNameSuffix = ['.dto.ts', '.entity.ts'], context = [] } = options;
  const settings = { dtoFileNameSuffix: [dtoFileNameSuffix].flat(), context };
  for (const [name, list] of Object.entries(settings))
    if (!Array.isArray(list) || list.some((one) => typeof one !== 'string' || one === ''))
      throw new TypeError(`nestjs-agent/plugin: option "${name}" must be a list of texts.`);
  return settings;
}
