import type { JsonSchema } from '../../tool';
import { unicodePattern } from '../json-schema';
import { textMatching } from './text-matching';

const FORMATS: Readonly<Record<string, string>> = {
  date: '2024-05-01',
  'date-time': '2024-05-01T10:30:00Z',
  time: '10:30:00Z',
  duration: 'P1D',
  email: 'jane@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com',
  url: 'https://example.com',
  'uri-reference': '/path',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
  'json-pointer': '/name',
  regex: '^a$',
  byte: 'aGVsbG8=',
};

/** Longer examples are cut. */
const MAX_CHARS = 10_000;

/** Text that fits a schema's format, pattern and length. */
export function exampleText(schema: JsonSchema, variant: number): string {
  const { minLength = 0, maxLength = Infinity, format = '', pattern, not } = schema;
  const known = Object.hasOwn(FORMATS, String(format)) ? FORMATS[String(format)] : undefined;
  if (known !== undefined) return known;
  const min = Math.min(Number(minLength), MAX_CHARS);
  const max = Number(maxLength);
  const found =
    typeof pattern === 'string' ? textMatching(unicodePattern(pattern) ?? '', min, max) : undefined;
  if (found !== undefined) return found;
  const plain = variant === 0 ? 'text' : `text${variant + 1}`;
  const text = (not as JsonSchema | undefined)?.enum?.includes(plain) ? `${plain}x` : plain;
  return text.padEnd(min, text).slice(0, max);
}
