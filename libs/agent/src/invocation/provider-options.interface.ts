import type { ToolContext } from '../tool';

/**
 * Values for parameters that the model neither sees nor sends, by tool and parameter. A function
 * is called once per call, with the call's context, and may answer a promise; whatever else stands
 * here is the value.
 *
 * @example
 * presets: { create_invoice: { currency: 'EUR', tenant: (ctx) => tenants.of(ctx.principal) } }
 */
export type Presets = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** A preset that is worked out for each call. */
export type PresetFunction = (ctx: ToolContext) => unknown;

export interface ValidationOptions {
  /** class-validator groups for the arguments of provider tools. */
  readonly groups?: readonly string[];
}
