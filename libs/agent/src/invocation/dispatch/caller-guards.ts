import type { CanActivate, Type } from '@nestjs/common';
import { GUARDS_METADATA } from '@nestjs/common/constants';
import type { ApplicationConfig } from '@nestjs/core';
import { globalGuardsOf } from './arrival.guard';

/**
 * Whether a guard of the controller or a global one may check the caller's identity, as far as that
 * can be seen at boot.
 */
export function hasCallerGuard(config: ApplicationConfig, controller: object): boolean {
  const own = (Reflect.getMetadata(GUARDS_METADATA, controller) ?? []) as readonly Guard[];
  const ofRequests = config.getGlobalRequestGuards().map(({ metatype }) => metatype as Guard);
  return [...own, ...globalGuardsOf(config), ...ofRequests].some(mayKnowCallers);
}

/** In decorators, classes and instances. */
type Guard = Type<CanActivate> | CanActivate;

/**
 * Not throttlers, which count the requests of all callers, and not a plain object whose `canActivate` takes
 * no arguments: nestjs-cls registers such a guard in every application, and it lets everything pass.
 */
function mayKnowCallers(guard: Guard): boolean {
  if (typeof guard === 'function') return !isThrottler(guard);
  return guard.constructor === Object
    ? guard.canActivate.length > 0
    : !isThrottler(guard.constructor);
}

function isThrottler(type: unknown): boolean {
  if (typeof type !== 'function') return false;
  return type.name === 'ThrottlerGuard' || isThrottler(Object.getPrototypeOf(type));
}
