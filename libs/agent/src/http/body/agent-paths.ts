import { type Failure, failureOf } from '../errors';
import type { AgentHttpOptions } from '../options';

/** Separates the agents' own request targets from the application's. */
export interface AgentPaths {
  /** The body limit of an agent's endpoint at this URL; `undefined` for other URLs. */
  limitOf(url: string): number | undefined;
  /** The limit for all but long texts; `undefined` without a limit of its own. */
  structureLimitOf(url: string): number | undefined;
  isOpenAi(url: string): boolean;
  /** The error of an unreadable body, except on OpenAI's endpoints. */
  failureOf(error: unknown): Failure;
}

const MESSAGES = 'chat|chat/stream';
const OPENAI = 'v1/chat/completions|v1/responses';
/** Their clients send the whole conversation. */
const CONVERSATIONS = `${OPENAI}|ai-sdk|ag-ui`;
const OTHERS = 'chat/tool-result|runs/[^/]+/actions|sessions|workbench/calls(?:/[^/]+)?';
const ENDPOINTS = `${MESSAGES}|${CONVERSATIONS}|${OTHERS}`;

type BodyLimits = Pick<AgentHttpOptions['limits'], 'bodyBytes' | 'attachmentBytes' | 'uiBodyBytes'>;

/**
 * Compares only the end of a URL, since only the router knows a prefix or version before the path.
 * If a route of the application has the same end, its body is parsed here, with the agent's limit.
 *
 * @param paths those of all agents, which have the same limits
 */
export function agentPaths(paths: readonly string[], limits: BodyLimits): AgentPaths {
  const base = `(?:${paths.map(baseOf).join('|')})`;
  const endpoint = targetsOf(base, ENDPOINTS);
  const messages = targetsOf(base, MESSAGES);
  const conversations = targetsOf(base, CONVERSATIONS);
  const openAi = targetsOf(base, OPENAI);
  const { bodyBytes, uiBodyBytes } = limits;
  const attachmentBytes = limits.attachmentBytes || 0;
  return {
    limitOf: (url) => {
      if (!endpoint.test(url)) return undefined;
      if (conversations.test(url)) return uiBodyBytes + attachmentBytes;
      return messages.test(url) ? bodyBytes + attachmentBytes : bodyBytes;
    },
    structureLimitOf: (url) => {
      if (attachmentBytes === 0) return undefined;
      if (conversations.test(url)) return uiBodyBytes;
      return messages.test(url) ? bodyBytes : undefined;
    },
    isOpenAi: (url) => openAi.test(url),
    failureOf,
  };
}

/** The single endpoint of another module. */
export function endpointPaths(
  path: string,
  bodyBytes: number,
  toFailure: AgentPaths['failureOf'] = failureOf,
): AgentPaths {
  const target = targetsOf('', segmentsOf(path).map(segmentPattern).join('/'));
  return {
    limitOf: (url) => (target.test(url) ? bodyBytes : undefined),
    structureLimitOf: () => undefined,
    isOpenAi: () => false,
    failureOf: toFailure,
  };
}

function baseOf(path: string): string {
  return segmentsOf(path)
    .map((segment) => `${segmentPattern(segment)}/`)
    .join('');
}

function targetsOf(base: string, endpoints: string): RegExp {
  return new RegExp(`(?:^|/)${base}(?:${endpoints})/?(?:\\?.*)?$`, 'i');
}

function segmentsOf(path: string): readonly string[] {
  return path.split('/').filter(Boolean);
}

function segmentPattern(segment: string): string {
  return segment.startsWith(':') ? '[^/]+' : segment.replaceAll('.', '\\.');
}
