import { hash } from 'node:crypto';
import { ToolDeclarationError } from './errors';

const TOOL_NAME = /^[a-zA-Z0-9_]{1,64}$/;
const LONGEST = 64;
/** Digits of the digest in a mapped name. */
const HASH_DIGITS = 8;

/** Whether every provider accepts the name. */
export function isToolName(name: string): boolean {
  return TOOL_NAME.test(name);
}

/**
 * @throws ToolDeclarationError if the name is not `[a-zA-Z0-9_]{1,64}`; `source` names its owner
 */
export function assertToolName(name: string, source: string): void {
  if (isToolName(name)) return;
  throw new ToolDeclarationError(
    `${source}: "${name}" cannot be a tool's name. A name has 1 to 64 letters, digits or underscores; set another with @Tool({ name }) or in exposeControllers.`,
  );
}

/** `findAll` → `find_all`, `HTTPServer` → `http_server`. */
export function snakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();
}

/**
 * Maps a name that providers do not accept, such as `Class.method`: invalid characters become `_`,
 * and a digest of the whole name keeps it unique. The mapping is stable, so that stored
 * conversations stay valid; the registry keeps the original.
 */
export function toToolName(name: string): string {
  if (isToolName(name)) return name;
  const digest = hash('sha256', name).slice(0, HASH_DIGITS);
  const readable = name.replace(/[^a-zA-Z0-9_]+/g, '_').slice(0, LONGEST - HASH_DIGITS - 1);
  return `${readable}_${digest}`;
}
