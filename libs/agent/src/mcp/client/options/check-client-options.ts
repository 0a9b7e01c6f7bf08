import * as v from 'valibot';
import {
  aFunction,
  anObject,
  anything,
  anyText,
  count,
  either,
  falseOr,
  flag,
  isFunction,
  isObject,
  listOf,
  ofKind,
  optionsOf,
  permission,
  positive,
  problemsOf,
  recordOf,
  text,
  type OptionChecks,
} from '../../../checks';
import { InvalidOptionsError } from '../../../tool';
import { isReservedHeader } from './reserved-header';
import type {
  McpClientAsyncOptions,
  McpClientCommonOptions,
  McpClientHttpOptions,
  McpClientOptions,
  McpClientStdioOptions,
  McpClientToolsOptions,
} from './mcp-client-options';

const prefix = ofKind(
  'at most 40 letters, digits or underscores',
  (value) => typeof value === 'string' && /^[a-zA-Z0-9_]{0,40}$/.test(value),
);
/** The value may contain a secret, so the message does not quote it. */
const address = ofKind(
  'an absolute http or https address without a user name',
  (value) => typeof value === 'string' && isAddress(value),
);
const headers = either(
  isFunction,
  v.pipe(
    anObject,
    v.record(v.string(), text),
    v.rawCheck(({ dataset, addIssue }) => {
      const input = Object(dataset.value) as Record<string, unknown>;
      for (const [key, value] of Object.entries(input)) {
        if (!isReservedHeader(key)) continue;
        const path = [{ type: 'object', origin: 'value', input, key, value }] as const;
        addIssue({ message: 'is a header that the module sets itself', path: [...path] });
      }
    }),
  ),
);

const toolOptions = optionsOf<NonNullable<McpClientToolsOptions['options']>[string]>({
  group: text,
  readOnly: flag,
  destructive: flag,
  idempotent: flag,
  openWorld: flag,
  concurrencySafe: flag,
  permission,
  visible: aFunction,
  timeoutMs: positive,
  retry: anObject,
  cacheTtlMs: positive,
  maxResultChars: count,
});

const tools = optionsOf<McpClientToolsOptions>({
  include: listOf(text),
  exclude: listOf(text),
  rename: recordOf(text),
  options: recordOf(toolOptions),
});

/** Checks of the options that all servers share. */
export const COMMON_CHECKS: OptionChecks<McpClientCommonOptions> = {
  prefix,
  tools,
  trust: flag,
  permission,
  instructions: falseOr(anyText),
  required: flag,
  connectTimeoutMs: positive,
  timeoutMs: positive,
  maxTotalMs: positive,
  maxTools: count,
  maxSchemaBytes: count,
};

export const HTTP_CHECKS: OptionChecks<Omit<McpClientHttpOptions, keyof McpClientCommonOptions>> = {
  url: address,
  headers,
  authProvider: anObject,
};

export const STDIO_CHECKS: OptionChecks<Omit<McpClientStdioOptions, keyof McpClientCommonOptions>> =
  { command: text, args: listOf(anyText), env: recordOf(anyText), cwd: text };

const httpServer = optionsOf<McpClientHttpOptions>({ ...COMMON_CHECKS, ...HTTP_CHECKS });
const stdioServer = optionsOf<McpClientStdioOptions>({ ...COMMON_CHECKS, ...STDIO_CHECKS });

const server = v.pipe(
  anObject,
  v.check(
    (value) => hasOption(value, 'url') !== hasOption(value, 'command'),
    'needs either url or command',
  ),
  v.lazy((value) => (hasOption(value, 'command') ? stdioServer : httpServer)),
);
const servers = v.pipe(
  ofKind(
    'an object of servers by name, each 1 to 32 letters, digits, "_" or "-"',
    (value) => isObject(value) && Object.keys(value).every((name) => /^[\w-]{1,32}$/.test(name)),
  ),
  recordOf(server),
);

const ofModule = v.pipe(
  optionsOf<McpClientOptions>({ servers }),
  v.check((value) => hasOption(value, 'servers'), 'needs servers'),
);
const ofAsyncModule = v.pipe(
  optionsOf<McpClientAsyncOptions>({
    imports: listOf(anything),
    inject: listOf(anything),
    useFactory: aFunction,
  }),
  v.check((value) => hasOption(value, 'useFactory'), 'needs useFactory'),
);

/** @throws InvalidOptionsError naming every wrong option */
export function checkClientOptions(options: unknown, name = 'options'): void {
  refuse(problemsOf(ofModule, options, name));
}

/** @throws InvalidOptionsError naming every wrong option */
export function checkAsyncClientOptions(options: unknown): void {
  refuse(problemsOf(ofAsyncModule, options, 'options'));
}

function refuse(problems: readonly string[]): void {
  if (problems.length > 0) throw new InvalidOptionsError(problems, 'McpClientModule');
}

function hasOption(value: unknown, name: string): boolean {
  return isObject(value) && Object.hasOwn(value, name) && value[name] !== undefined;
}

function isAddress(address: string): boolean {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) return false;
  return url.username === '' && url.password === '';
}
