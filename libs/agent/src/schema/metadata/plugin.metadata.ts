import { PLUGIN_KEY } from '../../internal';
import type { JsonValue } from '../../message';
import type { AnyClass } from './class-type';

/**
 * A type as the compiler plugin writes it: a JSON Schema, and `$of` where JSON Schema has no word
 * for what the method receives. `$of` is `date`, `bigint`, `map`, `set`, or a class.
 */
export interface TypeTemplate {
  readonly [keyword: string]: unknown;
  readonly $of?: 'date' | 'bigint' | 'map' | 'set' | AnyClass;
}

/** What the compiler plugin says of one parameter. */
export interface PluginParameter {
  readonly name: string;
  readonly description?: string;
  readonly optional?: boolean;
  readonly default?: JsonValue;
  readonly example?: JsonValue;
  readonly type?: TypeTemplate;
}

/** What the compiler plugin says of a tool's method. */
export interface PluginMethod {
  readonly description?: string;
  /** By place in the parameter list; `null` for those that are no arguments. */
  readonly parameters?: readonly (PluginParameter | null)[];
  readonly result?: TypeTemplate;
  /** Why its types cannot be said, for builds that drop the compiler's errors. */
  readonly problems?: readonly string[];
}

/** What the compiler plugin says of a property of a DTO class. */
export interface PluginProperty {
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly example?: JsonValue;
  readonly optional?: boolean;
  readonly type?: TypeTemplate;
}

/** What the compiler plugin says of one class. */
export interface PluginClass {
  /** The doc comment of a class with tools. */
  readonly description?: string;
  readonly methods?: Readonly<Record<string, PluginMethod>>;
  readonly properties?: Readonly<Record<string, PluginProperty>>;
  /** Classes of packages that its types name, which carry nothing themselves. */
  readonly classes?: readonly (readonly [unknown, PluginClass])[];
}

// What a compiler wrote does not change once it is there.
const known = new WeakMap<object, PluginClass>();

/** What the plugin says of a class itself, without its ancestors. */
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
 * What two files say of the same class of a package. A file can name the classes that it imports; of
 * others it tells the properties, which takes more words.
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

/** What the plugin says of a method; `owner` is the class that declares it. */
export function pluginMethodOf(owner: unknown, methodName: string): PluginMethod | undefined {
  const methods = pluginClassOf(owner)?.methods;
  return methods && Object.hasOwn(methods, methodName) ? methods[methodName] : undefined;
}

const NONE: ReadonlyMap<string, PluginProperty> = new Map();

/** The properties that the plugin knows of a class, inherited ones included. */
export function pluginPropertiesOf(type: AnyClass): ReadonlyMap<string, PluginProperty> {
  let properties = NONE;
  for (let one: unknown = type; typeof one === 'function'; one = Object.getPrototypeOf(one)) {
    const own = pluginClassOf(one)?.properties;
    if (own) properties = new Map([...Object.entries(own), ...properties]);
  }
  return properties;
}
