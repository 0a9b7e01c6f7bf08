import { ToolDeclarationError } from '../../tool';

export const MCP_RESOURCE = Symbol('nestjs-agent:mcp-resource');
export const MCP_PROMPT = Symbol('nestjs-agent:mcp-prompt');

/** @throws ToolDeclarationError on anything but a method of an instance */
export function marking(key: symbol, decorator: string, options: object): MethodDecorator {
  return (target, property, descriptor) => {
    const method: unknown = descriptor?.value;
    if (typeof method !== 'function' || typeof target === 'function') {
      const owner = typeof target === 'function' ? target.name : target.constructor.name;
      throw new ToolDeclarationError(
        `${owner}.${String(property)}: @${decorator}() belongs on a method of an instance.`,
      );
    }
    Reflect.defineMetadata(key, options, method);
  };
}
