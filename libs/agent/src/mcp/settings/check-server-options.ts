import {
  aDecorator,
  aFunction,
  anything,
  anyText,
  aPath,
  count,
  either,
  flag,
  isObject,
  listOf,
  notNegative,
  ofKind,
  oneOf,
  optionsOf,
  positive,
  problemsOf,
  recordOf,
  text,
} from '../../checks';
import { InvalidOptionsError } from '../../tool';
import type {
  McpAuthOptions,
  McpServerLimits,
  McpServerModuleAsyncOptions,
  McpServerModuleOptions,
  McpServerOptions,
  McpToolSelection,
} from './mcp-server-options.interface';

const url = ofKind(
  'an absolute URL, such as "https://shop.example/mcp"',
  (value) => typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value),
);
const origin = ofKind(
  'an origin, such as "https://chat.example" or "chrome-extension://an-id"',
  (value) => typeof value === 'string' && /^[^:/]+:\/\/[^/]/.test(value) && URL.canParse(value),
);
const approval = oneOf('elicit', 'client', 'refuse');

const CHECKS = {
  name: text,
  version: text,
  instructions: anyText,
  tools: optionsOf<McpToolSelection>({
    include: listOf(text),
    exclude: listOf(text),
    groups: listOf(text),
    foreign: flag,
  }),
  approvals: either(isObject, approval),
  auth: optionsOf<McpAuthOptions>({
    resource: url,
    authorizationServers: listOf(url),
    scopes: listOf(text),
  }),
  allowedOrigins: listOf(origin),
  listChanged: flag,
  secret: ofKind(
    'a text of at least 16 characters',
    (value) => typeof value === 'string' && value.length >= 16,
  ),
  pageSize: count,
  ttlMs: notNegative,
  limits: optionsOf<McpServerLimits>({
    bodyBytes: count,
    callsPerPrincipal: count,
    streams: count,
    streamsPerPrincipal: count,
    approvalMs: positive,
  }),
};
const STATIC_CHECKS = {
  agent: text,
  path: aPath,
  imports: listOf(anything),
  decorators: listOf(aDecorator),
};
const ofServer = optionsOf<McpServerOptions>(CHECKS);
const ofModule = optionsOf<McpServerModuleOptions>({ ...CHECKS, ...STATIC_CHECKS });
const ofAsyncModule = optionsOf<McpServerModuleAsyncOptions>({
  ...STATIC_CHECKS,
  inject: listOf(anything),
  useFactory: aFunction,
});
const ofApprovals = recordOf(approval);

/** Checks the options of `forRoot`. @throws InvalidOptionsError */
export function checkServerOptions(options: McpServerModuleOptions): void {
  refuse([...problemsOf(ofModule, options, 'options'), ...deeper(options)]);
}

/** Checks the options of `forRootAsync`. @throws InvalidOptionsError */
export function checkAsyncServerOptions(options: McpServerModuleAsyncOptions<never[]>): void {
  refuse(problemsOf(ofAsyncModule, options, 'options'));
  if (typeof options.useFactory !== 'function') refuse(['options needs useFactory']);
}

/** Checks the options that a factory returned. @throws InvalidOptionsError */
export function checkReturnedOptions(options: McpServerOptions): void {
  const misplaced = Object.keys(STATIC_CHECKS).filter((key) => key in Object(options));
  refuse(misplaced.map((key) => `${key} belongs beside useFactory, which has returned it`));
  refuse([...problemsOf(ofServer, options, 'the options of useFactory'), ...deeper(options)]);
}

/** Rules that involve several options. */
function deeper({ approvals, auth }: McpServerOptions = {}): readonly string[] {
  return [
    ...(isObject(approvals) ? problemsOf(ofApprovals, approvals, 'options.approvals') : []),
    ...(isObject(auth) && (auth.resource === undefined || auth.authorizationServers === undefined)
      ? ['options.auth needs resource and authorizationServers']
      : []),
    ...(auth?.authorizationServers?.length === 0
      ? ['options.auth.authorizationServers needs at least one entry']
      : []),
  ];
}

function refuse(problems: readonly string[]): void {
  if (problems.length > 0) throw new InvalidOptionsError(problems, 'McpServerModule');
}
