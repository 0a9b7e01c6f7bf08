import type { ExecutionContext, Type } from '@nestjs/common';
import type { ContextId } from '@nestjs/core';
import type { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper';
import { catchError, concat, defer, EMPTY, finalize, from, isObservable, tap } from 'rxjs';
import type { ToolInvocation } from '../../tool';
import { CallInterruptedError, type CallWatches, type WatchedCall } from '../call';
import type { BoundArguments } from './argument.binder';
import type { ArgumentFiller } from './argument.filler';
import {
  assertAllowed,
  assertUnanswered,
  detachedContext,
  DetachedResponse,
  type EnhancerResolver,
  type EnhancersOfAll,
  intercept,
  openCallScope,
  recover,
  statusOf,
} from '../enhancers';

/** Shared by all calls of one provider tool. */
export interface ProviderMethod {
  readonly host: Type<unknown>;
  readonly methodName: string;
  /** The declared method, which has the enhancers' metadata. */
  readonly handler: (...args: never[]) => unknown;
  /** The shared instance; without it each call creates one. */
  readonly instance?: object;
  readonly wrapper?: InstanceWrapper;
  readonly enhancers: EnhancerResolver;
  readonly filler: ArgumentFiller;
  readonly application: EnhancersOfAll;
  readonly watches: CallWatches | undefined;
}

/** One call of a provider's method, through its enhancers, as in a Nest route. */
export class ProviderCall {
  private readonly contextId: ContextId;
  private readonly response: DetachedResponse;
  private readonly context: ExecutionContext;
  private readonly watched: WatchedCall | undefined;

  constructor(
    private readonly method: ProviderMethod,
    private readonly invocation: ToolInvocation,
  ) {
    const { request } = invocation.context;
    const { host, handler } = method;
    this.watched = method.watches?.of(invocation.context.call.id);
    this.contextId = openCallScope(method.application.moduleRef, request);
    this.response = new DetachedResponse(request);
    this.context = detachedContext(request, this.response, host, handler);
  }

  /** The result: a value, or an Observable whose last value counts. */
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

  /** Runs only the guards. @throws the call's error */
  async authorize(): Promise<void> {
    try {
      await this.assertAllowed();
      this.response.complete();
    } catch (error) {
      // A filter may change the error, but not turn it into a result.
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
      this.watched?.enter('interceptors', namesOf(interceptors));
      outcome = await intercept(interceptors, this.context, () => this.callMethod());
      if (!isObservable(outcome)) assertUnanswered(this.response);
    } catch (error) {
      this.watched?.fail();
      outcome = await this.recover(error);
    }
    if (!isObservable(outcome)) return outcome;
    return concat(
      outcome,
      defer(() => {
        assertUnanswered(this.response);
        return EMPTY;
      }),
    ).pipe(
      catchError((error: unknown) => {
        this.watched?.fail();
        return from(this.recover(error));
      }),
    );
  }

  private async assertAllowed(): Promise<void> {
    const guards = await this.method.enhancers.resolve('guard', this.contextId);
    const { watched } = this;
    await assertAllowed(
      guards,
      this.context,
      watched && (({ constructor }) => watched.enter('guards', constructor.name)),
    );
  }

  private async callMethod(): Promise<unknown> {
    const { filler, host, methodName } = this.method;
    const bound = this.invocation.args as BoundArguments;
    this.watched?.enter('pipes');
    const args = await filler.fill(bound, this.invocation, this.contextId, this.watched);
    const instance = (await this.instance()) as Readonly<
      Record<string, (...args: unknown[]) => unknown>
    >;
    // The call may have been aborted during guards and pipes.
    if (this.invocation.context.signal.aborted) throw new CallInterruptedError(false);
    this.watched?.enter('handler', `${host.name}.${methodName}`);
    return instance[methodName]?.(...args);
  }

  private instance(): object | Promise<object> {
    const { instance, wrapper, application, host } = this.method;
    if (instance !== undefined) return instance;
    if (wrapper === undefined) throw new Error(`There is no instance of ${host.name}.`);
    return application.instances.get(wrapper, 'providers', this.contextId);
  }

  private async recover(error: unknown): Promise<unknown> {
    const filters = await this.method.enhancers.resolve('filter', this.contextId);
    const { watched } = this;
    try {
      return await recover(
        error,
        filters,
        this.context,
        this.response,
        watched && (({ constructor }) => watched.enter('filters', constructor.name)),
      );
    } catch (thrown) {
      // A filter that lets the error pass has not failed.
      if (thrown !== error) watched?.fail();
      throw thrown;
    }
  }
}

function namesOf(enhancers: readonly object[]): string | undefined {
  return enhancers.map(({ constructor }) => constructor.name).join(', ') || undefined;
}
