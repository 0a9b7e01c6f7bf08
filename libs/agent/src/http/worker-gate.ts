import { defined } from '../internal';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { ApplicationConfig, HttpAdapterHost, ModulesContainer } from '@nestjs/core';
import { type RouteAddress, RouteResolver } from '../discovery';
import {
  AgentDepth,
  ApplicationDispatcher,
  ArrivalGuard,
  callerOf,
  hostnameOf,
} from '../invocation';
import {
  type CallerGate,
  type EnteredRequest,
  GateRefusedError,
  isRefusal,
  type RequestOrigin,
  RUN_QUEUE,
  type RunQueue,
} from '../run';
import { CallerResolver } from './caller';
import { type AgentController, agentControllersOf } from './controllers';
import { WorkerEntry } from './endpoint';

/** Milliseconds that the guards may take. */
const WITHIN_MS = 30_000;

/**
 * Lets a worker become a caller: a request of this process to `GET runs/:runId`, with the caller's
 * credential and address, passes the guards in front of the agent's endpoints. Behind them it ends.
 */
@Injectable()
export class WorkerGate implements CallerGate, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly dispatcher: ApplicationDispatcher;

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly modules: ModulesContainer,
    private readonly resolver: RouteResolver,
    private readonly callers: CallerResolver,
    config: ApplicationConfig,
    depth: AgentDepth,
    @Inject(RUN_QUEUE) queue: RunQueue | null,
  ) {
    if (queue) ArrivalGuard.standIn(config);
    this.dispatcher = new ApplicationDispatcher(host, depth.enter);
  }

  onApplicationBootstrap(): void {
    this.dispatcher.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.dispatcher.close();
  }

  unavailability(): string | undefined {
    if (!this.host.httpAdapter) return 'this process has no HTTP server';
    return agentControllersOf(this.modules).length > 0 ? undefined : 'this process serves no agent';
  }

  originOf(request: unknown): RequestOrigin {
    const { remoteAddress: address, isEncrypted } = callerOf(request);
    const host = hostnameOf(request);
    return defined({ isEncrypted, address, host });
  }

  async enter({
    agent,
    runId,
    headers,
    origin: { address, isEncrypted, host },
  }: Parameters<CallerGate['enter']>[0]): Promise<EnteredRequest> {
    const target = this.addressOf(agent);
    if (target === undefined) throw new Error('This process does not serve the agent.');
    const { controller, address: to } = target;
    const entry = new WorkerEntry(controller.host);
    const request = {
      method: 'GET',
      path: to.path.replace(':runId', encodeURIComponent(runId)) + to.query,
      headers: { ...(host !== undefined && { host }), ...lowercased(headers), ...to.headers },
      destination: entry,
    };
    const caller = { isEncrypted, ...(address !== undefined && { remoteAddress: address }) };
    const signal = AbortSignal.timeout(WITHIN_MS);
    const { status, body } = await this.dispatcher.dispatch(request, caller, signal);
    body.resume();
    const { admitted } = entry;
    if (admitted === undefined) {
      if (isRefusal(status)) throw new GateRefusedError(status);
      throw new Error(`The agent's guards answered ${status}.`);
    }
    const { principal } = this.callers.resolve(admitted.request);
    return {
      request: admitted.request,
      ...(principal !== undefined && { principal }),
      within: (work) => admitted.context.runInAsyncScope(work),
    };
  }

  private addressOf(
    agent: string | undefined,
  ): { readonly controller: AgentController; readonly address: RouteAddress } | undefined {
    const controller = agentControllersOf(this.modules).find((each) => each.agent === agent);
    const address = controller && this.resolver.addressOf({ ...controller, methodName: 'status' });
    return controller && address && { controller, address };
  }
}

function lowercased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}
