export const MCP_RESOURCE = Symbol('nestjs-agent:mcp-resource');
export const MCP_PROMPT = Symbol('nestjs-agent:mcp-prompt');
