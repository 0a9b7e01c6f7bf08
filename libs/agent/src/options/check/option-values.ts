import { VERSION_NEUTRAL } from '@nestjs/common';
import * as v from 'valibot';
import { withFallback } from '../../internal';
import type {
  DisconnectPolicy,
  OpenAiProtocols,
  ProtocolOptions,
  WorkbenchOptions,
} from '../../http/options';
import type { AuditOptions } from '../../invocation';
import type { AskableAgent } from '../../run';
import { isToolName } from '../../tool';
import {
  aClass,
  aFunction,
  anObject,
  either,
  flag,
  instanceOf,
  isClass,
  isFunction,
  isObject,
  listOf,
  ofKind,
  oneOf,
  optionsOf,
  positive,
  recordOf,
  text,
  tokenPrices,
} from '../../checks';

// The checks of single options. The tables of all options are in option-table.ts.

export const isString = (value: unknown): boolean => typeof value === 'string';

export const prices = recordOf(tokenPrices);
export const mediaType = ofKind(
  'a media type, such as "image/png" or "text/*"',
  (value) => typeof value === 'string' && /^[a-z]+\/(?:\*|[a-z0-9.+-]+)$/.test(value),
);
export const model = instanceOf("a ChatModel, such as openai({ model: 'gpt-4.1-mini' })", 'stream');
export const sessionStore = instanceOf(
  'a SessionStore',
  ...['create', 'find', 'findByRun', 'list', 'read', 'append', 'acquire', 'renew', 'release'],
  ...['delete', 'deleteAll', 'deleteIdle', 'count'],
);
const auditSink = instanceOf('an AuditSink', 'record');
const auditSettings = optionsOf<AuditOptions & { readonly sink?: unknown }>({
  sink: auditSink,
  digestKey: text,
  values: flag,
  redact: listOf(text),
});
export const audit = v.lazy((value) =>
  isObject(value) && !('record' in value) ? auditSettings : auditSink,
);

const TELEMETRY_HOOKS = [
  ...['run', 'step', 'modelCall', 'toolCall', 'dispatch'],
  ...['event', 'measure', 'trace'],
];
export const telemetry = ofKind(
  `an AgentTelemetry, with at least one of ${TELEMETRY_HOOKS.join(', ')}, or a class of one`,
  (value) =>
    isClass(value) ||
    (isObject(value) &&
      TELEMETRY_HOOKS.some((hook) => hook in value) &&
      TELEMETRY_HOOKS.every((hook) => value[hook] === undefined || isFunction(value[hook]))),
);

export const version = ofKind(
  'a version, such as "1", a list of versions, or VERSION_NEUTRAL',
  (value) =>
    [value].flat().length > 0 &&
    [value].flat().every((each) => each === VERSION_NEUTRAL || v.is(text, each)),
);

export const exposedController = v.pipe(
  optionsOf<Record<'controller' | 'routes' | 'tools', unknown>>({
    controller: aClass,
    routes: oneOf('read', 'all'),
    tools: recordOf(anObject),
  }),
  v.check(
    (value) =>
      isObject(value) &&
      value['controller'] !== undefined &&
      (value['routes'] !== undefined || value['tools'] !== undefined),
    'must have a controller, and routes ("read" or "all") or tools',
  ),
);

const gracePeriod = optionsOf<Extract<DisconnectPolicy, object>>({ graceMs: positive });
export const onDisconnect = v.lazy((value) =>
  isObject(value) ? gracePeriod : oneOf('cancel', 'continue'),
);

const openAiProtocols = optionsOf<OpenAiProtocols>({
  responses: flag,
  serverItems: oneOf('mcp', 'hidden'),
});

export const protocols = optionsOf<ProtocolOptions>({
  aiSdk: flag,
  agUi: flag,
  openai: v.lazy((value) => (isObject(value) ? openAiProtocols : flag)),
});

const workbenchSettings = optionsOf<WorkbenchOptions>({
  when: either((value) => typeof value === 'boolean', oneOf('development')),
  all: aFunction,
  evals: text,
});

export const workbench = v.lazy((value) =>
  isObject(value)
    ? workbenchSettings
    : either((each) => typeof each === 'boolean', oneOf('development')),
);

export const toolName = ofKind(
  'a name of 1 to 64 letters, digits or underscores',
  (value) => typeof value === 'string' && isToolName(value),
);
export const languageTag = ofKind('a language tag, such as "de" or "pt-BR"', isLanguageTag);
const askableAgent = optionsOf<AskableAgent>({ name: text, as: toolName, description: text });
/** Its name alone, or how it is asked. */
export const askedAgent = either((value) => v.is(text, value), askableAgent);

function isLanguageTag(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  return withFallback(() => Intl.getCanonicalLocales(value).length === 1, false);
}
