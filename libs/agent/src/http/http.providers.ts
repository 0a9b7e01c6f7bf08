import type { InjectionToken, Provider } from '@nestjs/common';
import { AGENT_SETTINGS, type AgentService, type SessionService } from '../run';
import { BodyParsing } from './parsers';
import { CallerResolver } from './caller';
import { EndpointServices } from './controllers';
import { EndpointSetup } from './endpoint-setup';
import { GuardCheck } from './guard-check';
import { HealthReport } from './health-report';
import { HiddenEndpoints } from './hidden-endpoints';
import { HTTP_OPTIONS } from './options';
import { PathCheck } from './path-check';
import { RunResponder } from './sse';
import { CALLER_GATE } from '../run';
import { WorkerGate } from './worker-gate';

/** One of each per application. */
export const HTTP_PROVIDERS: Provider[] = [
  BodyParsing,
  CallerResolver,
  EndpointSetup,
  GuardCheck,
  HealthReport,
  HiddenEndpoints,
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
