import type { InjectionToken, Provider } from '@nestjs/common';
import { CallWatches, type ToolCallFactory } from '../invocation';
import {
  AGENT_SETTINGS,
  AgentCalls,
  AgentRuns,
  type AgentService,
  CALLER_GATE,
  type SessionService,
} from '../run';
import { BootReport } from '../tool';
import { BodyParsing } from './body';
import { CallerResolver } from './caller';
import { EndpointServices } from './controllers';
import { EndpointSetup } from './endpoint-setup';
import { GuardCheck } from './guard-check';
import { HealthReport } from './health-report';
import { HiddenEndpoints } from './hidden-endpoints';
import { LastAnswers } from './last-answers';
import { ENDPOINT_SETTINGS, HTTP_OPTIONS } from './options';
import { PathCheck } from './path-check';
import { RunResponder } from './sse';
import { WorkerGate } from './worker-gate';
import { EvalCases, WorkbenchOffers, WorkbenchServices } from './workbench';

/** One of each per application. */
export const HTTP_PROVIDERS: Provider[] = [
  BodyParsing,
  CallerResolver,
  EndpointSetup,
  GuardCheck,
  HealthReport,
  HiddenEndpoints,
  LastAnswers,
  PathCheck,
  RunResponder,
];

/**
 * One of each per agent with endpoints, besides its `HTTP_OPTIONS`.
 *
 * @param tokens those of the agent's services
 */
export function endpointProviders(tokens: {
  readonly agent: InjectionToken<AgentService>;
  readonly sessions: InjectionToken<SessionService>;
}): Provider[] {
  return [
    {
      provide: EndpointServices,
      inject: [
        tokens.agent,
        tokens.sessions,
        AGENT_SETTINGS,
        HTTP_OPTIONS,
        RunResponder,
        CallerResolver,
        HealthReport,
      ],
      useFactory: (...parts: ConstructorParameters<typeof EndpointServices>) =>
        new EndpointServices(...parts),
    },
  ];
}

/** By which workers become callers; one of each per application. */
export const WORKER_PROVIDERS: Provider[] = [{ provide: CALLER_GATE, useClass: WorkerGate }];

/**
 * One of each per agent with a workbench.
 *
 * @param tokens those of the agent's services
 * @param evals the agent's file of evaluations
 */
export function workbenchProviders(
  { calls }: { readonly calls: InjectionToken<ToolCallFactory> },
  evals: string | undefined,
): Provider[] {
  return [
    {
      provide: EvalCases,
      inject: [AgentRuns],
      useFactory: ({ inspector }: AgentRuns) => new EvalCases(evals, inspector),
    },
    {
      provide: WorkbenchServices,
      inject: [
        EvalCases,
        AgentCalls,
        AgentRuns,
        calls,
        AGENT_SETTINGS,
        CallerResolver,
        ENDPOINT_SETTINGS,
        ...[CallWatches, WorkbenchOffers, BootReport].map((token) => ({ token, optional: true })),
      ],
      useFactory: (...parts: ConstructorParameters<typeof WorkbenchServices>) =>
        new WorkbenchServices(...parts),
    },
  ];
}
