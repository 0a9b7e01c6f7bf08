import type { Type } from '@nestjs/common';

/**
 * An instance, or a class that Nest makes one of, with what its constructor asks for injected. It is
 * made within the agent's module: what it asks for comes from global modules, or from those in
 * `imports`.
 *
 * @typeParam T what it has to be
 */
export type InstanceOrClass<T> = T | Type<T>;
