import type { AnyMethod } from '../schema';
import 'reflect-metadata';
import type { PipeTransform, Type } from '@nestjs/common';
import type { ToolkitOptions, ToolOptions } from '../tool';

export const TOOL = Symbol('nestjs-agent:tool');
export const TOOLKIT = Symbol('nestjs-agent:toolkit');
export const TOOL_PARAMS = Symbol('nestjs-agent:tool-params');

/** A pipe, or the class of one that Nest instantiates. */
export type ToolPipe = PipeTransform | Type<PipeTransform>;

/** Options of `@ToolParam`. */
export interface ToolParamOptions {
  readonly description?: string;
  /** By default required, unless there is a `default` or the pipes accept nothing at all. */
  readonly required?: boolean;
  readonly default?: unknown;
  readonly example?: unknown;
  /** A JSON Schema or Standard Schema, where the type does not say enough. */
  readonly schema?: unknown;
  /** A class or `String` and its like, `[Class]` for a list of it. */
  readonly type?: unknown;
  /** An enum, or the list of allowed values. */
  readonly enum?: unknown;
}

/** What `@ToolParam` keeps of one parameter. */
export interface ToolParamMetadata {
  /** Missing where it is to be taken from the source. */
  readonly name?: string;
  readonly options: ToolParamOptions;
  readonly pipes: readonly ToolPipe[];
}

/**
 * The options of a class's tool method, own or inherited. An override that is not decorated itself
 * is no tool: it does something else than what was described.
 */
export function toolMetadataOf(target: Type<unknown>, methodName: string): ToolOptions | undefined {
  const method = methodOf(target, methodName);
  return method && (Reflect.getOwnMetadata(TOOL, method) as ToolOptions | undefined);
}

export function toolkitMetadataOf(target: Type<unknown>): ToolkitOptions | undefined {
  return Reflect.getMetadata(TOOLKIT, target) as ToolkitOptions | undefined;
}

/** The names of a class's tool methods, inherited ones included, each once. */
export function toolMethodsOf(target: Type<unknown>): readonly string[] {
  const names = new Set<string>();
  for (const prototype of prototypesOf(target))
    for (const name of Object.getOwnPropertyNames(prototype)) names.add(name);
  return [...names].filter((name) => toolMetadataOf(target, name) !== undefined);
}

/**
 * The decorated parameters of a method by their place. They belong to the class that declares the
 * method: an override starts anew.
 */
export function toolParamsOf(
  target: Type<unknown>,
  methodName: string,
): ReadonlyMap<number, ToolParamMetadata> {
  const owner = prototypesOf(target).find((prototype) => Object.hasOwn(prototype, methodName));
  const own =
    owner &&
    (Reflect.getOwnMetadata(TOOL_PARAMS, owner, methodName) as
      ReadonlyMap<number, ToolParamMetadata> | undefined);
  return own ?? new Map();
}

/** A method by name, found without evaluating any getter. */
export function methodOf(target: Type<unknown>, methodName: string): AnyMethod | undefined {
  for (const prototype of prototypesOf(target)) {
    const own = Object.getOwnPropertyDescriptor(prototype, methodName);
    if (own) return typeof own.value === 'function' ? (own.value as AnyMethod) : undefined;
  }
  return undefined;
}

/** From the class's own prototype upwards. */
function prototypesOf(target: Type<unknown>): readonly object[] {
  const prototypes: object[] = [];
  for (
    let prototype = target.prototype as object | null | undefined;
    prototype && prototype !== Object.prototype;
    prototype = Object.getPrototypeOf(prototype) as object | null
  )
    prototypes.push(prototype);
  return prototypes;
}
