import { Injectable, type FactoryProvider, type Provider, type Type } from '@nestjs/common';
import { GUARDS_METADATA } from '@nestjs/common/constants';
import { ModulesContainer } from '@nestjs/core';
import { GuardProbe } from '../invocation';
import { ASKED_GUARDS, type AskedGuards } from '../run';

/**
 * The guards among an agent's decorators, for agents that ask it: as those of a provider tool, they
 * are asked with the caller's request. The class that carries them is a provider, so that Nest makes
 * them within the agent's module.
 */
export function askedAgentGuards(decorators: readonly ClassDecorator[] = []): Provider[] {
  @Injectable()
  class AskedAgent {
    ask(): void {}
  }
  const { ask: handler } = AskedAgent.prototype as { readonly ask: object };
  for (const decorate of [...decorators].reverse()) decorate(AskedAgent);
  // Some guards read metadata, such as roles, of the handler alone.
  for (const key of Reflect.getOwnMetadataKeys(AskedAgent) as unknown[]) {
    if (key === GUARDS_METADATA) continue;
    const value: unknown = Reflect.getOwnMetadata(key, AskedAgent);
    Reflect.defineMetadata(key, value, handler);
  }
  const guards: FactoryProvider<AskedGuards> = {
    provide: ASKED_GUARDS,
    inject: [GuardProbe, ModulesContainer],
    useFactory: (probe: GuardProbe, modules: ModulesContainer) => {
      const askGuards = probe.guardsOf({
        host: AskedAgent,
        methodName: 'ask',
        source: 'The guards of the agent',
        ...wrapperOf(AskedAgent, modules),
      });
      return { ask: askGuards };
    },
  };
  return [AskedAgent, guards];
}

function wrapperOf(type: Type<unknown>, modules: ModulesContainer) {
  for (const module of modules.values()) {
    const wrapper = module.providers.get(type);
    if (wrapper) return { wrapper };
  }
  return {};
}
