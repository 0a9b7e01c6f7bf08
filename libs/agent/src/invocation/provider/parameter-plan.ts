import type { Type } from '@nestjs/common';
import type { JsonValue } from '../../message';
import type { JsonSchema } from '../../tool';
import type { EnhancerReference } from '../enhancers';
import type { InputReader } from './input-reader';

/** An argument of the model's: what it sends, and what the method gets for it. */
export interface ArgumentPlan {
  readonly kind: 'argument';
  /** The argument's name; the whole input has none. */
  readonly name?: string;
  /** The schema's default. */
  readonly byDefault?: JsonValue;
  readonly reader: InputReader;
  /** The pipes of the parameter itself. */
  readonly pipes: readonly EnhancerReference[];
  /** The declared type, as pipes see it. */
  readonly metatype?: Type<unknown>;
  /** Where the model sends nothing, an instance of this type may be injected. */
  readonly contextType?: Type<unknown>;
}

/** What fills one parameter of a tool's method; decided at boot. */
export type ParameterPlan =
  | ArgumentPlan
  | { readonly kind: 'toolContext' | 'emitter' | 'run' | 'signal' }
  | { readonly kind: 'preset'; readonly name: string; readonly value: unknown }
  | { readonly kind: 'context'; readonly type: Type<unknown> };

/** Where the parameters of a tool's method come from, and what the model may send. */
export interface MethodPlan {
  readonly parameters: readonly ParameterPlan[];
  readonly inputSchema: JsonSchema;
}
