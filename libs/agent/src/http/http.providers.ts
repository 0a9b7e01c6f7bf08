import type { Provider } from '@nestjs/common';
import { BodyParsing } from './body/body-parsing';
import { CallerResolver } from './caller/caller.resolver';
import { GuardCheck } from './guard-check';
import { HiddenEndpoints } from './hidden-endpoints';
import { OpenAiErrorFilter } from './openai/openai-error.filter';
import { OpenAiResponder } from './openai/openai.responder';
import { PathCheck } from './path-check';
import { RunResponder } from './run.responder';

/** What the controllers need, beside the `HTTP_OPTIONS`. */
export const HTTP_PROVIDERS: readonly Provider[] = [
  BodyParsing,
  CallerResolver,
  GuardCheck,
  HiddenEndpoints,
  OpenAiErrorFilter,
  OpenAiResponder,
  PathCheck,
  RunResponder,
];
