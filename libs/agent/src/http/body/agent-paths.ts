import type { AgentHttpOptions } from '../http-options.interface';

/** Tells the agent's own request targets from the application's. */
export interface AgentPaths {
  /** How much an endpoint of the agent takes that stands there; `undefined` where none takes a body. */
  limitOf(url: string): number | undefined;
  /** How much of that may be other than long texts; `undefined` where all of it may. */
  structureLimitOf(url: string): number | undefined;
  isOpenAi(url: string): boolean;
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
  const attachmentBytes = limits.attachmentBytes || 0;
  const longer = others
    .filter((other) => segmentsOf(other).length > segmentsOf(path).length)
    .map((other) => targetsOf(other, ENDPOINTS));
  const isOwn = (url: string): boolean => !longer.some((other) => other.test(url));
  return {
    limitOf: (url) => {
      if (!endpoint.test(url) || !isOwn(url)) return undefined;
      if (openAi.test(url)) return uiBodyBytes + attachmentBytes;
      return messages.test(url) ? bodyBytes + attachmentBytes : bodyBytes;
    },
    structureLimitOf: (url) => {
      if (attachmentBytes === 0 || !isOwn(url)) return undefined;
      if (openAi.test(url)) return uiBodyBytes;
      return messages.test(url) ? bodyBytes : undefined;
    },
    isOpenAi: (url) => openAi.test(url) && isOwn(url),
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
