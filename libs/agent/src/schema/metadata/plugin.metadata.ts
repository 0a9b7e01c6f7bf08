import { chainOf, PLUGIN_KEY } from '../../internal';
import type { JsonValue } from '../../message';
import { type AnyClass, ownerOf } from './class-type';

/**
 * A type as the compiler plugin writes it: a JSON Schema, with `$of` for types that JSON Schema cannot
 * express. `$of` is `date`, `bigint`, `map`, `set`, or a class.
 */
export interface TypeTemplate {
  readonly [keyword: string]: unknown;
  readonly $of?: 'date' | 'bigint' | 'map' | 'set' | AnyClass;
}

/** The compiler plugin's description of one parameter. */
export interface PluginParameter {
  readonly name: string;
  readonly description?: string;
  readonly optional?: boolean;
  readonly default?: JsonValue;
  readonly example?: JsonValue;
  readonly type?: TypeTemplate;
}

/** The compiler plugin's description of a tool's method. */
export interface PluginMethod {
  readonly description?: string;
  /** By place in the parameter list; `null` for those that are no arguments. */
  readonly parameters?: readonly (PluginParameter | null)[];
  readonly result?: TypeTemplate;
  /** Types that have no schema, for builds that drop the compiler's errors. */
  readonly problems?: readonly string[];
}

/** The compiler plugin's description of a property of a DTO class. */
export interface PluginProperty {
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly example?: JsonValue;
  readonly optional?: boolean;
  readonly type?: TypeTemplate;
}

/** The compiler plugin's description of one class. */
export interface PluginClass {
  /** The doc comment of a class with tools. */
  readonly description?: string;
  readonly methods?: Readonly<Record<string, PluginMethod>>;
  readonly properties?: Readonly<Record<string, PluginProperty>>;
  /** Descriptions of classes of packages that its types name; these classes carry none themselves. */
  readonly classes?: readonly (readonly [unknown, PluginClass])[];
}

// A description does not change at run time.
const known = new WeakMap<object, PluginClass>();

/** The plugin's description of a class itself, without its ancestors. */
export function pluginClassOf(type: unknown): PluginClass | undefined {
  if (typeof type !== 'function') return undefined;
  const present = known.get(type);
  if (present) return present;
  const factory: unknown = Object.getOwnPropertyDescriptor(type, PLUGIN_KEY)?.value;
  if (typeof factory !== 'function') return undefined;
  const made = (factory as () => PluginClass).call(type);
  known.set(type, made);
  for (const [other, described] of made.classes ?? [])
    if (typeof other === 'function' && !Object.hasOwn(other, PLUGIN_KEY))
      known.set(other, joined(pluginClassOf(other), described));
  return made;
}

/**
 * The description of a package's class from two files. A file can refer to the classes that it imports;
 * other classes it describes by their properties, which is longer.
 */
function joined(first: PluginClass | undefined, second: PluginClass): PluginClass {
  if (!first?.properties) return second;
  const properties = Object.entries(first.properties).map(([name, one]) => {
    const other = second.properties?.[name];
    return [name, other && lengthOf(other) < lengthOf(one) ? other : one] as const;
  });
  return { ...first, properties: Object.fromEntries(properties) };
}

/** References to classes are functions, which JSON omits. */
function lengthOf({ type }: PluginProperty): number {
  return JSON.stringify(type)?.length ?? 0;
}

/** The plugin's description of a method, own or inherited. */
export function pluginMethodOf(type: AnyClass, methodName: string): PluginMethod | undefined {
  const methods = pluginClassOf(ownerOf(type, methodName)?.constructor)?.methods;
  return methods && Object.hasOwn(methods, methodName) ? methods[methodName] : undefined;
}

const NONE: ReadonlyMap<string, PluginProperty> = new Map();

/** The properties that the plugin knows of a class, inherited ones included. */
export function pluginPropertiesOf(type: AnyClass): ReadonlyMap<string, PluginProperty> {
  let properties = NONE;
  for (const one of chainOf(type)) {
    const own = pluginClassOf(one)?.properties;
    if (own) properties = new Map([...Object.entries(own), ...properties]);
  }
  return properties;
}

/**
 * The function that the plugin's metadata generator writes, for builds with SWC: the default export
 * of `metadata.ts`.
 */
export type PluginMetadata = () => Promise<Readonly<Record<string, unknown>>>;

type GeneratedFile = readonly [unknown, Readonly<Record<string, PluginClass>>];

/** Attaches the generator's metadata to each class. */
export async function loadPluginMetadata(metadata: PluginMetadata): Promise<void> {
  const made = await metadata();
  // Under the name that nest-cli.json gives the plugin.
  const own = made['nestjs-agent/plugin'] ?? made['nestjs-agent'];
  const { classes = [] } = (own ?? {}) as { readonly classes?: readonly GeneratedFile[] };
  for (const [file, described] of classes) {
    const exported = (await file) as Readonly<Record<string, unknown>>;
    for (const [name, known] of Object.entries(described)) {
      const type = exported[name];
      if (typeof type === 'function')
        Object.defineProperty(type, PLUGIN_KEY, { value: () => known, configurable: true });
    }
  }
}
