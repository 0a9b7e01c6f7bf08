import { AsyncResource } from 'node:async_hooks';
import type { Type } from '@nestjs/common';
import { type Arrival, type Destination, destinationOf } from '../../invocation';
import { AgentError } from '../../tool';
import { servedBy } from './served';

/** A request that passed the guards, with its asynchronous context. */
interface Admitted {
  readonly request: unknown;
  readonly context: AsyncResource;
}

/** The end of a worker's request: after the guards of an endpoint, in place of its handler. */
export class WorkerEntry implements Destination {
  private entered: Admitted | undefined;

  /** @param controller of the endpoint */
  constructor(private readonly controller: Type<unknown>) {}

  /** The entry of a worker's request in this process; `undefined` for requests from outside. */
  static of(request: unknown): WorkerEntry | undefined {
    const destination = destinationOf(request);
    return destination instanceof WorkerEntry ? destination : undefined;
  }

  get admitted(): Admitted | undefined {
    return this.entered;
  }

  /** @throws AgentError at another handler */
  assertReached({ host, handler }: Arrival): void {
    if (host === this.controller && servedBy(handler) !== undefined) return;
    throw new AgentError('misdirected', "A worker's request did not reach the agent's endpoint.");
  }

  /** Called after the guards. */
  admit(request: unknown): void {
    this.entered = { request, context: new AsyncResource('NestjsAgentWorker') };
  }
}
