const RESERVED = new Set([
  'accept',
  'connection',
  'content-length',
  'content-type',
  'host',
  'last-event-id',
  'transfer-encoding',
  'x-agent-depth',
]);

/** Whether the transport or the module sets the header itself. */
export function isReservedHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return RESERVED.has(lower) || lower.startsWith('mcp-');
}
