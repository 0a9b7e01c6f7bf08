import type { Type } from '@nestjs/common';
import type { ContextId, ModuleRef } from '@nestjs/core';
import type { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper';
import { catchError, concat, defer, EMPTY, finalize, from, isObservable, tap } from 'rxjs';
import type { ToolInvocation } from '../../tool';
import { CallInterruptedError } from '../call';
import type { BoundArguments } from './argument.binder';
import type { ArgumentFiller } from './argument.filler';
import {
  assertAllowed,
  assertUnanswered,
  DetachedResponse,
  type EnhancerResolver,
  intercept,
  openCallScope,
  recover,
  type ScopedInstances,
  statusOf,
  ToolExecutionContext,
} from '../enhancers';

/** What all calls of one provider tool have in common. */
export interface ProviderMethod {
  readonly host: Type<unknown>;
  readonly methodName: string;
  /** The method as it was declared, which carries the enhancers' metadata. */
  readonly handler: (...args: never[]) => unknown;
  /** The one instance; without it one is made per call. */
  readonly instance?: object;
  readonly wrapper?: InstanceWrapper;
  readonly enhancers: EnhancerResolver;
  readonly filler: ArgumentFiller;
  readonly instances: ScopedInstances;
  readonly moduleRef: ModuleRef;
}

/** One call of a provider's method, through the enhancers that Nest would run around a route. */
export class ProviderCall {
  private readonly contextId: ContextId;
  private readonly response: DetachedResponse;
  private readonly context: ToolExecutionContext;

  constructor(
    private readonly method: ProviderMethod,
    private readonly invocation: ToolInvocation,
  ) {
    const { request } = invocation.context;
    const { host, handler, moduleRef, wrapper } = method;
    this.contextId = openCallScope(moduleRef, request, wrapper?.isDependencyTreeDurable() ?? false);
    this.response = new DetachedResponse(request);
    this.context = new ToolExecutionContext(request, this.response, host, handler);
  }

  /** The outcome: a value, or an Observable whose last value it is. */
  async run(): Promise<unknown> {
    let outcome: unknown;
    try {
      outcome = await this.outcome();
    } catch (error) {
      this.response.complete(statusOf(error));
      throw error;
    }
    if (!isObservable(outcome)) {
      this.response.complete();
      return outcome;
    }
    return outcome.pipe(
      tap({ error: (error) => this.response.complete(statusOf(error)) }),
      finalize(() => this.response.complete()),
    );
  }

  /** Asks the guards alone. @throws what the call would end with */
  async authorize(): Promise<void> {
    try {
      await this.assertAllowed();
      this.response.complete();
    } catch (error) {
      // A filter may word the refusal, but not turn it into an answer.
      await this.recover(error).finally(() => this.response.complete(statusOf(error)));
      throw error;
    }
  }

  private async outcome(): Promise<unknown> {
    const { enhancers } = this.method;
    let outcome: unknown;
    try {
      await this.assertAllowed();
      const interceptors = await enhancers.resolve('interceptor', this.contextId);
      outcome = await intercept(interceptors, this.context, () => this.callMethod());
      if (!isObservable(outcome)) assertUnanswered(this.response);
    } catch (error) {
      outcome = await this.recover(error);
    }
    if (!isObservable(outcome)) return outcome;
    return concat(
      outcome,
      defer(() => {
        assertUnanswered(this.response);
        return EMPTY;
      }),
    ).pipe(catchError((error: unknown) => from(this.recover(error))));
  }

  private async assertAllowed(): Promise<void> {
    const guards = await this.method.enhancers.resolve('guard', this.contextId);
    await assertAllowed(guards, this.context);
  }

  private async callMethod(): Promise<unknown> {
    const { filler, methodName } = this.method;
    const bound = this.invocation.args as BoundArguments;
    const args = await filler.fill(bound, this.invocation, this.contextId);
    const instance = (await this.instance()) as Readonly<
      Record<string, (...args: unknown[]) => unknown>
    >;
    // Guards and pipes may have taken until nobody waited any more, who was told so.
    if (this.invocation.context.signal.aborted) throw new CallInterruptedError(false);
    return instance[methodName]?.(...args);
  }

  private instance(): object | Promise<object> {
    const { instance, wrapper, instances, host } = this.method;
    if (instance !== undefined) return instance;
    if (wrapper === undefined) throw new Error(`There is no instance of ${host.name}.`);
    return instances.get(wrapper, 'providers', this.contextId);
  }

  private async recover(error: unknown): Promise<unknown> {
    const filters = await this.method.enhancers.resolve('filter', this.contextId);
    return recover(error, filters, this.context, this.response);
  }
}
