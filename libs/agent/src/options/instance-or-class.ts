import type { Type } from '@nestjs/common';

/**
 * An instance, or a class that Nest instantiates with its dependencies. It is
 * made within the agent's module: its dependencies come from global modules, or from those in
 * `imports`.
 *
 * @typeParam T the instance's type
 */
export type InstanceOrClass<T> = T | Type<T>;
