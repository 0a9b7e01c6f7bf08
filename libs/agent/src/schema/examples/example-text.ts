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

/** What a schema asks for beyond this is more than anybody wants to read. */
const MAX_CHARS = 10_000;

/** Text that fits a schema's format, pattern and length. */
export function exampleText(schema: JsonSchema, variant: number): string {
  const min = Math.min(typeof schema.minLength === 'number' ? schema.minLength : 0, MAX_CHARS);
  const max = typeof schema.maxLength === 'number' ? schema.maxLength : Infinity;
  const known = typeof schema.format === 'string' ? FORMATS[schema.format] : undefined;
  if (known !== undefined) return known;
  if (typeof schema.pattern === 'string') {
    const found = textMatching(unicodePattern(schema.pattern) ?? '', min, max);
    if (found !== undefined) return found;
  }
  const plain = variant === 0 ? 'text' : `text${variant + 1}`;
  const refused = schema.not as JsonSchema | undefined;
  const text = refused?.enum?.includes(plain) ? `${plain}x` : plain;
  return [...text.repeat(Math.max(1, Math.ceil(min / text.length)))]
    .slice(0, Math.min(Math.max(min, text.length), max))
    .join('');
}
