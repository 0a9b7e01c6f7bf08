import { type DiscoveredClass, DiscoveryService } from '@golevelup/nestjs-discovery';
import { Injectable } from '@nestjs/common';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import type { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper';
import type { Module } from '@nestjs/core/injector/module';
import { classOf, type Component, isSingleton } from './component';

type Collection = 'providers' | 'controllers';

/** Finds the providers and controllers of the running application, each once. */
@Injectable()
export class ComponentFinder {
  constructor(private readonly modules: ModulesContainer) {}

  /**
   * The accepted components, controllers first. One instance under several tokens (an alias, a
   * factory, an export) is one component; so is one class that several modules provide.
   */
  async find(accepts: (component: Component) => boolean): Promise<readonly Component[]> {
    // A new service each time: it caches its result, and modules may be loaded later.
    const discovery = new DiscoveryService(this.modules, new MetadataScanner());
    return unique([
      ...located(
        this.components('controllers').filter(accepts),
        await instancesOf(discovery.controllers(() => true)),
      ),
      ...located(
        this.components('providers').filter(accepts),
        await instancesOf(discovery.providers(() => true)),
      ),
    ]);
  }

  private components(collection: Collection): readonly Component[] {
    return [...this.modules.values()].flatMap((module) =>
      [...module[collection].values()].flatMap(
        (wrapper) => componentOf(collection, wrapper, module) ?? [],
      ),
    );
  }
}

/**
 * The discovered instances; `undefined` if a provider of the application cannot be inspected: a
 * strict proxy throws until a request has filled it.
 */
async function instancesOf(
  discovered: Promise<readonly DiscoveredClass[]>,
): Promise<readonly unknown[] | undefined> {
  return discovered.then(
    (found) => found.map(({ instance }) => instance),
    () => undefined,
  );
}

/**
 * The discovered providers from Nest's own records, and the ones created per call: discovery skips
 * request-scoped providers, since no instance exists yet.
 */
function located(
  components: readonly Component[],
  instances: readonly unknown[] | undefined,
): readonly Component[] {
  const byInstance = new Map<unknown, Component>();
  for (const component of components) {
    if (component.instance !== undefined) keepBest(byInstance, component.instance, component);
  }
  return [
    ...(instances ?? [...byInstance.keys()]).flatMap((instance) => byInstance.get(instance) ?? []),
    ...components.filter(({ instance }) => instance === undefined),
  ];
}

function componentOf(
  collection: Collection,
  wrapper: InstanceWrapper,
  module: Module,
): Component | undefined {
  const instance = isSingleton(wrapper) ? (wrapper.instance as unknown) : undefined;
  const isObject = typeof instance === 'object' && instance !== null;
  // An alias without an instance refers to a provider that is found under its own name.
  if (wrapper.isAlias && !isObject) return undefined;
  const host = classOf(wrapper, isObject ? instance : undefined);
  if (host === undefined) return undefined;
  const kind = collection === 'controllers' ? 'route' : 'provider';
  return { kind, host, wrapper, module, ...(isObject ? { instance } : {}) };
}

/** Prefers the record that Nest made from the class itself: it knows the class's enhancers. */
function keepBest(components: Map<unknown, Component>, key: unknown, component: Component): void {
  const known = components.get(key);
  if (known === undefined || (known.wrapper.isNotMetatype && !component.wrapper.isNotMetatype)) {
    components.set(key, component);
  }
}

function unique(components: readonly Component[]): readonly Component[] {
  const instances = new Set<object>();
  const classes = new Set<unknown>();
  return components.filter(({ instance, host }) => {
    if (classes.has(host) || (instance !== undefined && instances.has(instance))) return false;
    classes.add(host);
    if (instance !== undefined) instances.add(instance);
    return true;
  });
}
