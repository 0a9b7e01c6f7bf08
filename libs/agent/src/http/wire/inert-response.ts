import { oncePer } from '../../internal';
import { nodeResponse } from './node-http';

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

const METHODS = [...WRITERS, ...HEADER_WRITERS];

type Methods = Record<string, unknown>;

const INERT: Methods = Object.fromEntries(WRITERS.map((name) => [name, self]));

/**
 * Headers can be added until the answer begins, as in any response; later they are dropped.
 *
 * The methods are hidden by a prototype: one more property on a response of Express costs 3 µs.
 * Only methods that middleware has set on the response itself are replaced there.
 *
 * @returns a function that restores the response
 */
export function makeInert(response: unknown): () => void {
  const target = response as Methods;
  const prototype = Object.getPrototypeOf(target) as Methods;
  const wrapped = METHODS.filter((name) => Object.hasOwn(target, name)).map(
    (name) => [name, target[name]] as const,
  );
  for (const [name, method] of wrapped) target[name] = INERT[name] ?? untilSent(() => method);
  Object.setPrototypeOf(target, inertPrototype(prototype));
  return () => {
    Object.setPrototypeOf(target, prototype);
    for (const [name, value] of wrapped) target[name] = value;
  };
}

/** One per prototype: V8 keeps a new shape of the response for each new prototype. */
const inertPrototype = oncePer((prototype: Methods): Methods => {
  const inert = Object.assign(Object.create(prototype) as Methods, INERT);
  for (const name of HEADER_WRITERS) {
    // Read at each call: an instrumentation may replace it at any time.
    if (name in prototype) inert[name] = untilSent(() => prototype[name]);
  }
  return inert;
});

function untilSent(setter: () => unknown): unknown {
  return function (this: unknown, ...args: unknown[]): unknown {
    if (nodeResponse(this).headersSent) return this;
    return Reflect.apply(setter() as () => unknown, this, args);
  };
}

function self(this: unknown): unknown {
  return this;
}
