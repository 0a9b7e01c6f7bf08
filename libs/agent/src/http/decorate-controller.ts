import type { Type } from '@nestjs/common';
import {
  EXCEPTION_FILTERS_METADATA,
  GUARDS_METADATA,
  INTERCEPTORS_METADATA,
  METHOD_METADATA,
  PIPES_METADATA,
} from '@nestjs/common/constants';

type Handler = (this: unknown, ...parameters: unknown[]) => unknown;

/** Metadata that Nest merges from the class and the handler: copied, it would apply twice. */
const COMBINED: readonly unknown[] = [
  GUARDS_METADATA,
  INTERCEPTORS_METADATA,
  PIPES_METADATA,
  EXCEPTION_FILTERS_METADATA,
];

/**
 * Decorates a controller's class, and copies the metadata that this sets, such as `roles`, to each of
 * its routes: a guard that reads only `context.getHandler()` would otherwise find none and admit every
 * caller.
 *
 * The base class's handlers are shared with other agents, so the controller gets its own.
 */
export function decorateController(
  controller: Type<unknown>,
  decorators: readonly ClassDecorator[],
): void {
  const before = new Set<unknown>(Reflect.getOwnMetadataKeys(controller));
  // As if they were written above the class in this order: the last one is applied first.
  for (const decorate of [...decorators].reverse()) decorate(controller);
  const added = (Reflect.getOwnMetadataKeys(controller) as unknown[]).filter(
    (key) => !before.has(key) && !COMBINED.includes(key) && !isOfSwagger(key),
  );
  if (added.length === 0) return;
  const prototype = controller.prototype as object;
  const base = Object.getPrototypeOf(prototype) as object;
  for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(base))) {
    if (!isRoute(descriptor.value)) continue;
    const handler = ownHandler(name, descriptor.value);
    for (const key of added) {
      if (Reflect.hasOwnMetadata(key, handler)) continue;
      Reflect.defineMetadata(key, Reflect.getOwnMetadata(key, controller), handler);
    }
    Object.defineProperty(prototype, name, { ...descriptor, value: handler });
  }
}

/** `@nestjs/swagger` also merges the metadata of class and handler. */
function isOfSwagger(key: unknown): boolean {
  return typeof key === 'string' && key.startsWith('swagger/');
}

function isRoute(value: unknown): value is Handler {
  return typeof value === 'function' && Reflect.hasOwnMetadata(METHOD_METADATA, value);
}

function ownHandler(name: string, handler: Handler): Handler {
  const own: Handler = function (...parameters) {
    return handler.apply(this, parameters);
  };
  Object.defineProperty(own, 'name', { value: name });
  for (const key of Reflect.getOwnMetadataKeys(handler) as unknown[]) {
    Reflect.defineMetadata(key, Reflect.getOwnMetadata(key, handler), own);
  }
  return own;
}
