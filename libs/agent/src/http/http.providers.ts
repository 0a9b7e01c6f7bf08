import type { Provider } from '@nestjs/common';
import { BodyParsing } from './body/body-parsing';
import { CallerResolver } from './caller/caller.resolver';
import { AgentErrorInterceptor } from './errors/agent-error.interceptor';
import { GuardCheck } from './guard-check';
import { OpenAiErrorFilter } from './openai/openai-error.filter';
import { OpenAiResponder } from './openai/openai.responder';
import { PathCheck } from './path-check';
import { RunResponder } from './run.responder';

/** What the controllers need, beside the `HTTP_OPTIONS`. */
export const HTTP_PROVIDERS: readonly Provider[] = [
  AgentErrorInterceptor,
  BodyParsing,
  CallerResolver,
  GuardCheck,
  OpenAiErrorFilter,
  OpenAiResponder,
  PathCheck,
  RunResponder,
];
