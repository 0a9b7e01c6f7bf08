import type { Type } from '@nestjs/common';
import type { JsonValue } from '../../message';
import type { JsonSchema } from '../../tool';
import type { EnhancerReference } from '../enhancers';
import type { InputReader } from './input-reader';

/** An argument of the model. */
export interface ArgumentPlan {
  readonly kind: 'argument';
  /** The argument's name; missing for the whole input. */
  readonly name?: string;
  /** The schema's default. */
  readonly byDefault?: JsonValue;
  readonly reader: InputReader;
  /** The pipes of the parameter itself. */
  readonly pipes: readonly EnhancerReference[];
  /** The declared type, for pipes. */
  readonly metatype?: Type<unknown>;
  /** An instance of this type is injected if the model omits the argument. */
  readonly contextType?: Type<unknown>;
}

/** The source of one parameter of a tool's method; decided at boot. */
export type ParameterPlan =
  | ArgumentPlan
  | { readonly kind: 'toolContext' | 'emitter' | 'run' | 'signal' }
  | { readonly kind: 'preset'; readonly name: string; readonly value: unknown }
  | { readonly kind: 'context'; readonly type: Type<unknown> };

/** The sources of a method's parameters, and the schema of the model's arguments. */
export interface MethodPlan {
  readonly parameters: readonly ParameterPlan[];
  readonly inputSchema: JsonSchema;
}
