import type { Type } from '@nestjs/common';
import {
  EXCEPTION_FILTERS_METADATA,
  GUARDS_METADATA,
  INTERCEPTORS_METADATA,
  PIPES_METADATA,
} from '@nestjs/common/constants';

export type EnhancerKind = 'guard' | 'interceptor' | 'pipe' | 'filter';

/** An argument of `@UseGuards()` and similar decorators: a class or an instance. */
export type EnhancerReference = Type<unknown> | object;

const METADATA_KEYS: Readonly<Record<EnhancerKind, string>> = {
  guard: GUARDS_METADATA,
  interceptor: INTERCEPTORS_METADATA,
  pipe: PIPES_METADATA,
  filter: EXCEPTION_FILTERS_METADATA,
};

export const ENHANCER_METHODS: Readonly<Record<EnhancerKind, string>> = {
  guard: 'canActivate',
  interceptor: 'intercept',
  pipe: 'transform',
  filter: 'catch',
};

/** The enhancers of one kind that decorate a class or a method itself. */
export function enhancersOn(target: object, kind: EnhancerKind): readonly EnhancerReference[] {
  const metadata: unknown = Reflect.getMetadata(METADATA_KEYS[kind], target);
  return Array.isArray(metadata) ? (metadata as readonly EnhancerReference[]) : [];
}
