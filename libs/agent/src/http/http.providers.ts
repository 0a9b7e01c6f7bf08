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

/** The controllers' dependencies, besides the `HTTP_OPTIONS`. */
export const HTTP_PROVIDERS: readonly Provider[] = [
  AgUiRuns,
  AgUiTurns,
  AiSdkTurns,
  BodyParsing,
  CallerResolver,
  ClientThreads,
  GuardCheck,
  HealthReport,
  HiddenEndpoints,
  OpenAiErrorFilter,
  OpenAiModels,
  OpenAiResponder,
  PathCheck,
  ResponseConversations,
  RunResponder,
  StoredResponses,
];
