import type { ToolContext } from '../../tool';

/**
 * Values of parameters that the model neither sees nor sends, by tool and parameter. A function is
 * called once per call with the call's context, and may return a promise; every other value is used
 * as is. A tool with a function is not cached.
 *
 * @example
 * const presets: Presets = {
 *   create_invoice: { currency: 'EUR', author: (ctx) => ctx.principal },
 * };
 */
export type Presets = Readonly<Record<string, Readonly<Record<string, PresetValue>>>>;

/** A value, or a function that computes it per call. */
export type PresetValue =
  | PresetFunction
  | object
  | string
  | number
  | bigint
  | boolean
  | symbol
  | null
  | undefined;

/** A preset that is computed per call. */
export type PresetFunction = (ctx: ToolContext) => unknown;

/**
 * Options for validating arguments of provider tools.
 *
 * @see https://github.com/typestack/class-validator#validation-groups
 * @example
 * const validation: ValidationOptions = { groups: ['agent'] };
 */
export interface ValidationOptions {
  /** class-validator groups; all rules apply by default. */
  readonly groups?: readonly string[];
}
