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

const INERT = Object.fromEntries(WRITERS.map((name) => [name, self]));

/**
 * Headers can be added until the answer begins, as in any response; later they are dropped.
 *
 * The methods are hidden by a prototype: one property more on a response of Express costs it 3 µs.
 * Only those that middleware has put on the response itself are replaced there.
 *
 * @returns a function that restores the response
 */
export function makeInert(response: unknown, raw: ServerResponse): () => void {
  const target = response as Record<string, unknown>;
  const prototype = Object.getPrototypeOf(target) as object;
  const inert = Object.assign(Object.create(prototype) as Record<string, unknown>, INERT);
  for (const name of HEADER_WRITERS) {
    const set = target[name];
    if (typeof set !== 'function') continue;
    inert[name] = (...args: unknown[]) =>
      raw.headersSent ? response : (set.apply(response, args) as unknown);
  }
  const wrapped = [...WRITERS, ...HEADER_WRITERS]
    .filter((name) => Object.hasOwn(target, name))
    .map((name) => [name, target[name]] as const);
  for (const [name] of wrapped) target[name] = inert[name];
  Object.setPrototypeOf(target, inert);
  return () => {
    Object.setPrototypeOf(target, prototype);
    for (const [name, value] of wrapped) target[name] = value;
  };
}

function self(this: unknown): unknown {
  return this;
}
