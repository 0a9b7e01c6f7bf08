import type { Type } from '@nestjs/common';
import {
  EXCEPTION_FILTERS_METADATA,
  GUARDS_METADATA,
  INTERCEPTORS_METADATA,
  METHOD_METADATA,
  PIPES_METADATA,
} from '@nestjs/common/constants';

type Handler = (this: unknown, ...parameters: unknown[]) => unknown;

/** What Nest reads of the class and of the handler, and puts together: passed on, it would act twice. */
const COMBINED: readonly unknown[] = [
  GUARDS_METADATA,
  INTERCEPTORS_METADATA,
  PIPES_METADATA,
  EXCEPTION_FILTERS_METADATA,
];

/**
 * Gives each route of a controller the metadata that decorators leave on its class, such as `roles`:
 * a guard that looks at `context.getHandler()` alone would find none there and let everybody in.
 *
 * The handlers are those of the base class, which other agents share, so the controller gets its own.
 *
 * @param decorate applies the decorators to the class
 */
export function passOnMetadata(controller: Type<unknown>, decorate: () => void): void {
  const before = new Set<unknown>(Reflect.getOwnMetadataKeys(controller));
  decorate();
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

/** `@nestjs/swagger` puts together what it finds on the class and on the handler, too. */
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
