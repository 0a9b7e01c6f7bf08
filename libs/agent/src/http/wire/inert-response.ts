import type { ServerResponse } from 'node:http';

const WRITERS = [
  'writeHead',
  'flushHeaders',
  'status',
  'code',
  'sendStatus',
  'send',
  'json',
  'jsonp',
  'write',
  'end',
  'redirect',
  'sendFile',
  'render',
] as const;
const HEADER_WRITERS = ['setHeader', 'setHeaders', 'appendHeader', 'removeHeader'] as const;

/**
 * Headers can be added until the answer begins, as in any response; later they are dropped.
 *
 * @returns a function that restores the response
 */
export function makeInert(response: unknown, raw: ServerResponse): () => void {
  const target = response as Record<string, unknown>;
  const before = new Map<string, PropertyDescriptor | undefined>();
  const replace = (name: string, replacement: (...args: unknown[]) => unknown): void => {
    before.set(name, Object.getOwnPropertyDescriptor(target, name));
    target[name] = replacement;
  };
  for (const name of WRITERS) {
    if (typeof target[name] === 'function') replace(name, () => response);
  }
  for (const name of HEADER_WRITERS) {
    const set = target[name];
    if (typeof set !== 'function') continue;
    replace(name, (...args) =>
      raw.headersSent ? response : (set.apply(response, args) as unknown),
    );
  }
  return () => {
    for (const [name, descriptor] of before) {
      if (descriptor) Object.defineProperty(target, name, descriptor);
      else delete target[name];
    }
  };
}
