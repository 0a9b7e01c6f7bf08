import type { ToolContext } from '../../tool';

/**
 * Values for parameters that the model neither sees nor sends, by tool and parameter. A function
 * is called once per call, with the call's context, and may answer a promise; whatever else stands
 * here is the value. Its tool is not cached where one is a function.
 *
 * @example
 * const presets: Presets = {
 *   create_invoice: { currency: 'EUR', author: (ctx) => ctx.principal },
 * };
 */
export type Presets = Readonly<Record<string, Readonly<Record<string, PresetValue>>>>;

/** A preset as it is, or a function that works it out for each call. */
export type PresetValue =
  PresetFunction | object | string | number | bigint | boolean | symbol | null | undefined;

/** A preset that is worked out for each call. */
export type PresetFunction = (ctx: ToolContext) => unknown;

/**
 * How the arguments of provider tools are validated.
 *
 * @see https://github.com/typestack/class-validator#validation-groups
 * @example
 * const validation: ValidationOptions = { groups: ['agent'] };
 */
export interface ValidationOptions {
  /** class-validator groups; without any (the default) all rules hold. */
  readonly groups?: readonly string[];
}
