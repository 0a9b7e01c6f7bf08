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
 */
export function agentPaths(path: string): AgentPaths {
  const base = path === '' ? '' : `${path.split('/').map(segmentPattern).join('/')}/`;
  const endpoint = new RegExp(`(?:^|/)${base}(?:${ENDPOINTS})/?(?:\\?.*)?$`, 'i');
  const openAi = new RegExp(`(?:^|/)${base}v1/chat/completions/?(?:\\?.*)?$`, 'i');
  return {
    takesBody: (url) => endpoint.test(url),
    isOpenAi: (url) => openAi.test(url),
  };
}

function segmentPattern(segment: string): string {
  return segment.startsWith(':') ? '[^/]+' : segment.replaceAll('.', '\\.');
}
