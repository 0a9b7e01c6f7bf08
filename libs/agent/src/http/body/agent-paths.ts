/** Tells the agent's own request targets from the application's. */
export interface AgentPaths {
  /** Whether an endpoint of the agent that takes a body stands there. */
  takesBody(url: string): boolean;
  isOpenAi(url: string): boolean;
}

const ENDPOINTS = 'chat|chat/stream|chat/tool-result|runs/[^/]+/actions|v1/chat/completions';

/**
 * A prefix or version may stand before the path, which only the router knows; so only its end is
 * compared. Should a route of the application end the same way, its body is merely read by us.
 *
 * @param others the paths of the application's other agents: what fits several is the longest one's
 */
export function agentPaths(path: string, others: readonly string[] = []): AgentPaths {
  const endpoint = targetsOf(path, ENDPOINTS);
  const openAi = targetsOf(path, 'v1/chat/completions');
  const longer = others
    .filter((other) => segmentsOf(other).length > segmentsOf(path).length)
    .map((other) => targetsOf(other, ENDPOINTS));
  const isOwn = (url: string): boolean => !longer.some((other) => other.test(url));
  return {
    takesBody: (url) => endpoint.test(url) && isOwn(url),
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
