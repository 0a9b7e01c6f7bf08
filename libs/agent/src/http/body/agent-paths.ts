import { type Failure, failureOf } from '../errors';
import type { AgentHttpOptions } from '../http-options.interface';

/** Tells the agent's own request targets from the application's. */
export interface AgentPaths {
  /** How much an endpoint of the agent takes that stands there; `undefined` where none takes a body. */
  limitOf(url: string): number | undefined;
  /** How much of that may be other than long texts; `undefined` where all of it may. */
  structureLimitOf(url: string): number | undefined;
  isOpenAi(url: string): boolean;
  /** What others than OpenAI's answer where a body cannot be read. */
  failureOf(error: unknown): Failure;
}

const MESSAGES = 'chat|chat/stream';
const CONVERSATIONS = 'v1/chat/completions';
const ENDPOINTS = `${MESSAGES}|chat/tool-result|runs/[^/]+/actions|${CONVERSATIONS}`;

export type BodyLimits = Pick<
  AgentHttpOptions['limits'],
  'bodyBytes' | 'attachmentBytes' | 'uiBodyBytes'
>;

/**
 * A prefix or version may stand before the path, which only the router knows; so only its end is
 * compared. Should a route of the application end the same way, its body is merely read by us.
 *
 * @param others the paths of the application's other agents: what fits several is the longest one's
 */
export function agentPaths(
  path: string,
  limits: BodyLimits,
  others: readonly string[] = [],
): AgentPaths {
  const endpoint = targetsOf(path, ENDPOINTS);
  const messages = targetsOf(path, MESSAGES);
  const openAi = targetsOf(path, CONVERSATIONS);
  const { bodyBytes, uiBodyBytes } = limits;
  const withAttachments = bodyBytes + (limits.attachmentBytes || 0);
  const longer = others
    .filter((other) => segmentsOf(other).length > segmentsOf(path).length)
    .map((other) => targetsOf(other, ENDPOINTS));
  const isOwn = (url: string): boolean => !longer.some((other) => other.test(url));
  return {
    limitOf: (url) => {
      if (!endpoint.test(url) || !isOwn(url)) return undefined;
      if (messages.test(url)) return withAttachments;
      return openAi.test(url) ? uiBodyBytes : bodyBytes;
    },
    structureLimitOf: (url) =>
      withAttachments > bodyBytes && messages.test(url) && isOwn(url) ? bodyBytes : undefined,
    isOpenAi: (url) => openAi.test(url) && isOwn(url),
    failureOf,
  };
}

/** The one endpoint of another module. */
export function endpointPaths(
  path: string,
  bodyBytes: number,
  told: AgentPaths['failureOf'] = failureOf,
): AgentPaths {
  const target = targetsOf('', segmentsOf(path).map(segmentPattern).join('/'));
  return {
    limitOf: (url) => (target.test(url) ? bodyBytes : undefined),
    structureLimitOf: () => undefined,
    isOpenAi: () => false,
    failureOf: told,
  };
}

function targetsOf(path: string, endpoints: string): RegExp {
  const base = segmentsOf(path)
    .map((segment) => `${segmentPattern(segment)}/`)
    .join('');
  return new RegExp(`(?:^|/)${base}(?:${endpoints})/?(?:\\?.*)?$`, 'i');
}

function segmentsOf(path: string): readonly string[] {
  return path.split('/').filter(Boolean);
}

function segmentPattern(segment: string): string {
  return segment.startsWith(':') ? '[^/]+' : segment.replaceAll('.', '\\.');
}
