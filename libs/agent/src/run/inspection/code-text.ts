import { isJsonObject, type JsonValue } from '../../message';

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
const MOST_IN_LINE = 80;

/**
 * A JSON value as TypeScript. Texts are escaped: no text can end its literal, and no key sets a
 * prototype.
 */
export function codeOf(value: JsonValue, indent = ''): string {
  if (typeof value === 'string') return textCode(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  const isObject = isJsonObject(value);
  const parts = isObject
    ? Object.entries(value).map(([key, member]) => `${keyCode(key)}: ${codeOf(member, inner)}`)
    : value.map((item: JsonValue) => codeOf(item, inner));
  const [open, close] = isObject ? '{}' : '[]';
  if (parts.length === 0) return `${open}${close}`;
  const line = isObject ? `{ ${parts.join(', ')} }` : `[${parts.join(', ')}]`;
  const isShort = line.length + indent.length <= MOST_IN_LINE && !line.includes('\n');
  return isShort ? line : `${open}\n${inner}${parts.join(`,\n${inner}`)},\n${indent}${close}`;
}

/** A text in quotes. */
function textCode(text: string): string {
  const quoted = JSON.stringify(text);
  return /['"\\]/.test(quoted.slice(1, -1)) ? quoted : `'${text}'`;
}

function keyCode(key: string): string {
  if (key === '__proto__') return `['__proto__']`;
  return IDENTIFIER.test(key) ? key : textCode(key);
}
