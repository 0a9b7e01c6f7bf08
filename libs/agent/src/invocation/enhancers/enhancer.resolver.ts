import {
  type CanActivate,
  type ExceptionFilter,
  type NestInterceptor,
  type PipeTransform,
  Scope,
  type Type,
} from '@nestjs/common';
import {
  OPTIONAL_DEPS_METADATA,
  PARAMTYPES_METADATA,
  PROPERTY_DEPS_METADATA,
  SCOPE_OPTIONS_METADATA,
} from '@nestjs/common/constants';
import { type ApplicationConfig, type ContextId, ContextIdFactory, ModuleRef } from '@nestjs/core';
import type { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper';
import { isSingleton } from '../../discovery';
import { getOrAdd } from '../../internal';
import { globalGuardsOf, globalInterceptorsOf } from '../dispatch';
import {
  ENHANCER_METHODS,
  type EnhancerKind,
  type EnhancerReference,
  enhancersOn,
} from './enhancer-metadata';
import type { ScopedInstances } from './call-scope';

interface EnhancerTypes {
  readonly guard: CanActivate;
  readonly interceptor: NestInterceptor;
  readonly pipe: PipeTransform;
  readonly filter: ExceptionFilter;
}

interface EnhancedMethod {
  /** The class and the method, for errors. */
  readonly source: string;
  readonly host: Type<unknown>;
  readonly handler: object;
  /** Missing for an instance outside the container. */
  readonly wrapper?: Pick<InstanceWrapper, 'host'> | undefined;
}

/** Dependencies that the methods of an application share. */
export interface EnhancersOfAll {
  readonly config: ApplicationConfig;
  readonly instances: ScopedInstances;
  /** Creates the enhancers of a method whose module is unknown. */
  readonly moduleRef: ModuleRef;
}

/**
 * The enhancers of one tool: the application's, the class's and the method's, in this order.
 *
 * Nest's own context creators drop an enhancer class that its module does not know, for instance of
 * classes provided by a factory or a value. Here such a class is instantiated: no guard may be
 * skipped.
 */
export class EnhancerResolver {
  private readonly kept = new Map<unknown, Promise<object>>();
  private readonly read = new Map<EnhancerKind, readonly EnhancerReference[]>();

  constructor(
    private readonly method: EnhancedMethod,
    private readonly application: EnhancersOfAll,
  ) {}

  async resolve<K extends EnhancerKind>(
    kind: K,
    contextId: ContextId,
  ): Promise<readonly EnhancerTypes[K][]> {
    const { instances, wrappers } = globalEnhancers(this.application.config, kind);
    const references = this.declared(kind);
    // As for most tools: each promise here is one for every call.
    if (wrappers.length === 0 && references.length === 0)
      return instances as readonly EnhancerTypes[K][];
    const [scoped, own] = await Promise.all([
      Promise.all(wrappers.map((wrapper) => this.fromWrapper(wrapper, contextId))),
      this.resolveAll(kind, references, contextId),
    ]);
    return [...instances, ...scoped, ...own] as EnhancerTypes[K][];
  }

  get hasGuards(): boolean {
    const { instances, wrappers } = globalEnhancers(this.application.config, 'guard');
    return instances.length + wrappers.length + this.declared('guard').length > 0;
  }

  /** Class first, as in Nest. Read at the first call, to keep the boot fast. */
  private declared(kind: EnhancerKind): readonly EnhancerReference[] {
    const { host, handler } = this.method;
    return getOrAdd(this.read, kind, () =>
      [host, handler].flatMap((target) => enhancersOn(target, kind)),
    );
  }

  /** Resolves a list of references. */
  resolveAll<K extends EnhancerKind>(
    kind: K,
    references: readonly EnhancerReference[],
    contextId: ContextId,
  ): Promise<readonly EnhancerTypes[K][]> {
    return Promise.all(
      references.map(async (reference) => {
        const enhancer = await this.fromReference(reference, contextId);
        this.assertUsable(kind, enhancer);
        return enhancer as EnhancerTypes[K];
      }),
    );
  }

  private async fromReference(reference: EnhancerReference, contextId: ContextId): Promise<object> {
    if (typeof reference !== 'function') return reference;
    const wrapper = this.method.wrapper?.host?.injectables.get(reference);
    return wrapper === undefined
      ? this.create(reference as Type<object>, contextId)
      : this.fromWrapper(wrapper, contextId);
  }

  private fromWrapper(wrapper: InstanceWrapper, contextId: ContextId): Promise<object> {
    const { instances } = this.application;
    if (isSingleton(wrapper)) return Promise.resolve(wrapper.instance as object);
    // A transient enhancer belongs to its host and is kept: it may count calls.
    if (wrapper.isTransient && wrapper.isDependencyTreeStatic()) {
      return this.keep(wrapper, () =>
        instances.get(wrapper, 'injectables', ContextIdFactory.create()),
      );
    }
    return instances.get(wrapper, 'injectables', contextId);
  }

  private create(type: Type<object>, contextId: ContextId): Promise<object> {
    const { host: module } = this.method.wrapper ?? {};
    const moduleRef = module?.getProviderByKey(ModuleRef).instance ?? this.application.moduleRef;
    // It may depend on request-scoped providers, which need the call's context.
    return isSelfSufficient(type)
      ? this.keep(type, () => moduleRef.create(type))
      : moduleRef.create(type, contextId);
  }

  private keep(key: unknown, make: () => Promise<object>): Promise<object> {
    const known = this.kept.get(key);
    if (known !== undefined) return known;
    const made = make();
    this.kept.set(key, made);
    // A failed constructor is tried again.
    made.catch(() => this.kept.delete(key));
    return made;
  }

  private assertUsable(kind: EnhancerKind, enhancer: object): void {
    const method = ENHANCER_METHODS[kind];
    if (typeof (enhancer as Readonly<Record<string, unknown>>)[method] === 'function') return;
    throw new TypeError(
      `${this.method.source}: ${enhancer.constructor.name} is not a ${kind}: it has no ${method}().`,
    );
  }
}

function globalEnhancers(
  config: ApplicationConfig,
  kind: EnhancerKind,
): { readonly instances: readonly object[]; readonly wrappers: readonly InstanceWrapper[] } {
  switch (kind) {
    case 'guard':
      return { instances: globalGuardsOf(config), wrappers: config.getGlobalRequestGuards() };
    case 'interceptor':
      return {
        instances: globalInterceptorsOf(config),
        wrappers: config.getGlobalRequestInterceptors(),
      };
    case 'pipe':
      return { instances: config.getGlobalPipes(), wrappers: config.getGlobalRequestPipes() };
    case 'filter':
      return { instances: config.getGlobalFilters(), wrappers: config.getGlobalRequestFilters() };
  }
}

/** Whether one instance without dependencies can serve every call. */
function isSelfSufficient(type: Type<object>): boolean {
  const read = (key: string): unknown => Reflect.getMetadata(key, type);
  const scope = (read(SCOPE_OPTIONS_METADATA) as { readonly scope?: Scope } | undefined)?.scope;
  const dependencies = (read(PARAMTYPES_METADATA) as readonly unknown[] | undefined) ?? [];
  const optional = (read(OPTIONAL_DEPS_METADATA) as readonly number[] | undefined) ?? [];
  const properties = (read(PROPERTY_DEPS_METADATA) as readonly unknown[] | undefined) ?? [];
  return (
    scope !== Scope.REQUEST &&
    properties.length === 0 &&
    dependencies.every((_, index) => optional.includes(index))
  );
}
