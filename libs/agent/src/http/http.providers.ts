import type { Provider } from '@nestjs/common';
import { AgUiRuns, AgUiTurns } from './ag-ui';
import { AiSdkTurns } from './ai-sdk';
import { BodyParsing } from './parsers';
import { CallerResolver } from './caller';
import { GuardCheck } from './guard-check';
import { HealthReport } from './health-report';
import { HiddenEndpoints } from './hidden-endpoints';
import { OpenAiErrorFilter, OpenAiModels, OpenAiResponder } from './openai';
import { PathCheck } from './path-check';
import { ResponseConversations, StoredResponses } from './responses';
import { RunResponder } from './sse';
import { ClientThreads } from './threads';
import { TriedCalls, WorkbenchTools } from './workbench';

/** One of each per application. */
export const HTTP_PROVIDERS: Provider[] = [
  BodyParsing,
  CallerResolver,
  GuardCheck,
  HealthReport,
  HiddenEndpoints,
  PathCheck,
  RunResponder,
];

/** One of each per agent, besides its `HTTP_OPTIONS`. */
export const AGENT_HTTP_PROVIDERS: Provider[] = [
  AgUiRuns,
  AgUiTurns,
  AiSdkTurns,
  ClientThreads,
  OpenAiErrorFilter,
  OpenAiModels,
  OpenAiResponder,
  ResponseConversations,
  StoredResponses,
];

/** One of each per agent with a workbench. */
export const WORKBENCH_PROVIDERS: Provider[] = [TriedCalls, WorkbenchTools];
