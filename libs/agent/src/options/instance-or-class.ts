import type { Type } from '@nestjs/common';

/**
 * An instance, or a class that Nest instantiates in the agent's module. Its dependencies come from
 * global modules, or from those in `imports`.
 *
 * @typeParam T the instance's type
 */
export type InstanceOrClass<T> = T | Type<T>;
