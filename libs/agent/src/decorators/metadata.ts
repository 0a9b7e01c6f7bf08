import {
  methodOf,
  ownerOf,
  ownMethodOf,
  pluginClassOf,
  pluginMethodOf,
  type PluginParameter,
  prototypesOf,
} from '../schema';
import 'reflect-metadata';
import type { Abstract, PipeTransform, Type } from '@nestjs/common';
import { ToolDeclarationError, type ToolkitOptions, type ToolOptions } from '../tool';

export const TOOL = Symbol('nestjs-agent:tool');
export const TOOLKIT = Symbol('nestjs-agent:toolkit');
export const TOOL_PARAMS = Symbol('nestjs-agent:tool-params');

/**
 * A pipe instance, or a pipe class that Nest instantiates with its constructor dependencies
 * injected.
 */
export type ToolPipe = PipeTransform | Type<PipeTransform>;

/**
 * The caller of a completion, and the other arguments so far.
 *
 * @example
 * import type { CompletionContext } from 'nestjs-agent/mcp';
 *
 * const isAdmin = ({ principal }: CompletionContext) => principal === 'alice';
 */
export interface CompletionContext {
  /** The logged-in user; missing for anonymous callers. */
  readonly principal?: string;
  /** The request, after the guards of the endpoint. */
  readonly request?: unknown;
  /** The other arguments so far, as text. */
  readonly arguments: Readonly<Record<string, string>>;
  /**
   * A provider of the application, whichever module provides it.
   *
   * @param token its class or token
   * @throws Error if there is none, or one is made per request
   */
  readonly get: <Provider>(
    token: Type<Provider> | Abstract<Provider> | string | symbol,
  ) => Provider;
}

/**
 * Options of `@ToolParam`.
 *
 * @example
 * const options: ToolParamOptions = {
 *   description: 'How many orders to list',
 *   type: Number,
 *   default: 10,
 *   example: 25,
 * };
 */
export interface ToolParamOptions {
  /** The meaning of the argument, for the model to read. Empty by default. */
  readonly description?: string;
  /**
   * Whether the model must send it. Required by default, unless there is a `default` or the pipes
   * accept a missing value.
   */
  readonly required?: boolean;
  /** The value that the method receives if the model sends none; none by default. */
  readonly default?: unknown;
  /** An example value for the model to read; none by default. */
  readonly example?: unknown;
  /** A JSON Schema or Standard Schema, if the type is not precise enough. */
  readonly schema?: unknown;
  /**
   * A class, `String`, `Number` or the like, `[Class]` for a list of it; by default the type that
   * TypeScript emits.
   */
  readonly type?: unknown;
  /** An enum, or the list of allowed values; any value of the type by default. */
  readonly enum?: unknown;
  /**
   * Masked in events, approvals, transcripts and audit records; the tool receives the value.
   * `false` by default.
   */
  readonly sensitive?: boolean;
  /**
   * Suggests values while a person fills in the argument of an `@McpPrompt` or the variable of an
   * `@McpResource`; by default the enum's values that begin with the text. At most 100 are sent. It
   * runs only for callers who may use the prompt or resource; if it throws, nothing is suggested.
   */
  readonly complete?: (
    value: string,
    ctx: CompletionContext,
  ) => readonly string[] | Promise<readonly string[]>;
}

/** The stored metadata of one `@ToolParam`. */
export interface ToolParamMetadata {
  /** Missing if the name is to be read from the source. */
  readonly name?: string;
  readonly options: ToolParamOptions;
  readonly pipes: readonly ToolPipe[];
  /** The compiler plugin's description; the decorator takes precedence. */
  readonly described?: PluginParameter;
  /** Set if it is an argument only by the compiler plugin. */
  readonly isImplied?: boolean;
}

/**
 * A decorator that stores its options under a key on a method.
 *
 * @param name the decorator's, for the error
 * @throws ToolDeclarationError on anything but a method of an instance
 */
export function marking(key: symbol, name: string, options: object): MethodDecorator {
  return (target, property, descriptor) => {
    const method: unknown = descriptor?.value;
    const isStatic = typeof target === 'function';
    if (typeof method === 'function' && !isStatic) {
      Reflect.defineMetadata(key, options, method);
      return;
    }
    const place = isStatic ? 'a static member' : 'an accessor or property';
    throw new ToolDeclarationError(
      `${(isStatic ? target : target.constructor).name}.${String(property)}: @${name}() belongs on a method of an instance, not on ${place}.`,
    );
  };
}

/**
 * The options of a class's tool method, own or inherited. An override without a decorator is not a
 * tool: its behaviour may differ from the description.
 */
export function toolMetadataOf(target: Type<unknown>, methodName: string): ToolOptions | undefined {
  return markOf<ToolOptions>(TOOL, target, methodName);
}

/** The options that a method decorator stored under its key on this method, own or inherited. */
export function markOf<Options>(
  key: symbol,
  target: Type<unknown>,
  methodName: string,
): Options | undefined {
  const method = methodOf(target, methodName);
  return method && (Reflect.getOwnMetadata(key, method) as Options | undefined);
}

/** The options of a class's `@Toolkit`, else the doc comment that the compiler plugin read. */
export function toolkitMetadataOf(target: Type<unknown>): ToolkitOptions | undefined {
  const decorated = Reflect.getMetadata(TOOLKIT, target) as ToolkitOptions | undefined;
  const description = pluginClassOf(target)?.description;
  return decorated ?? (description === undefined ? undefined : { description });
}

/** The names of a class's tool methods, inherited ones included, each once. */
export function toolMethodsOf(target: Type<unknown>): readonly string[] {
  return markedMethodsOf(TOOL, target);
}

/** The names of a class's methods with a decorator's metadata, inherited ones included, each once. */
export function markedMethodsOf(key: symbol, target: Type<unknown>): readonly string[] {
  const seen = new Set<string>();
  const marked: string[] = [];
  for (const prototype of prototypesOf(target))
    for (const name of Object.getOwnPropertyNames(prototype)) {
      // A member closer to the class hides the inherited one.
      if (seen.has(name)) continue;
      seen.add(name);
      const method = ownMethodOf(prototype, name);
      if (method && Reflect.hasOwnMetadata(key, method)) marked.push(name);
    }
  return marked;
}

/**
 * The parameters of a method that the model fills, by their index: those that are decorated or that
 * the compiler plugin has described. They belong to the class that declares the
 * method: an override starts empty.
 */
export function toolParamsOf(
  target: Type<unknown>,
  methodName: string,
): ReadonlyMap<number, ToolParamMetadata> {
  const owner = ownerOf(target, methodName);
  const own =
    owner &&
    (Reflect.getOwnMetadata(TOOL_PARAMS, owner, methodName) as
      | ReadonlyMap<number, ToolParamMetadata>
      | undefined);
  const described = pluginMethodOf(target, methodName)?.parameters;
  return described === undefined ? (own ?? NO_PARAMS) : withDescribed(own ?? NO_PARAMS, described);
}

function withDescribed(
  decorated: ReadonlyMap<number, ToolParamMetadata>,
  parameters: readonly (PluginParameter | null)[],
): ReadonlyMap<number, ToolParamMetadata> {
  const all = new Map(decorated);
  for (const [index, described] of parameters.entries()) {
    if (described === null) continue;
    const { name } = described;
    const own = decorated.get(index) ?? { options: {}, pipes: [], isImplied: true };
    all.set(index, { name, ...own, described });
  }
  return all;
}

const NO_PARAMS: ReadonlyMap<number, ToolParamMetadata> = new Map();
