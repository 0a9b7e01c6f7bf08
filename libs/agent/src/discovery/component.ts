import type { Type } from '@nestjs/common';
import type { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper';
import type { Module } from '@nestjs/core/injector/module';

/** A provider or a controller of one module, with the class whose methods may be tools. */
export interface Component {
  readonly kind: 'provider' | 'route';
  readonly host: Type<unknown>;
  /** The single instance; missing if instances are created per call. */
  readonly instance?: object;
  /** Nest's record of it. */
  readonly wrapper: InstanceWrapper;
  readonly module: Module;
}

/** Whether Nest creates one instance that serves every call. */
export function isSingleton(wrapper: InstanceWrapper): boolean {
  return wrapper.isDependencyTreeStatic() && !wrapper.isTransient;
}

/**
 * The class behind a provider, or `undefined` if there is none (values, and factories before they
 * ran).
 */
export function classOf(wrapper: InstanceWrapper, instance?: object): Type<unknown> | undefined {
  if (!wrapper.isNotMetatype && isClass(wrapper.metatype)) return wrapper.metatype;
  if (instance !== undefined) {
    // Through the prototype: a proxy may not return properties of its own.
    const prototype = Object.getPrototypeOf(instance) as { readonly constructor?: unknown } | null;
    return isClass(prototype?.constructor) ? prototype.constructor : undefined;
  }
  return isClass(wrapper.token) ? wrapper.token : undefined;
}

function isClass(value: unknown): value is Type<unknown> {
  if (typeof value !== 'function') return false;
  const { prototype } = value as { readonly prototype?: unknown };
  return typeof prototype === 'object' && prototype !== null;
}
