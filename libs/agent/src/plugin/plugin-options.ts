/**
 * Options of the compiler plugin, in `nest-cli.json` beside its name.
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
   * The ends of files whose classes are described, whatever else they hold; `['.dto.ts',
   * '.entity.ts']` by default. Elsewhere, classes of public properties are described.
   */
  readonly dtoFileNameSuffix?: string | readonly string[];
  /**
   * Names of classes that the application provides as context, so that a parameter of their type is
   * no argument; none by default.
   */
  readonly context?: readonly string[];
}

/** The options with their defaults. */
export interface PluginSettings {
  readonly dtoFileNameSuffix: readonly string[];
  readonly context: readonly string[];
}

/** Those of the metadata generator's visitor as well, and what the Nest CLI adds. */
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
