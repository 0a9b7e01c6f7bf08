import { Transform, type Readable } from 'node:stream';
import type { HttpException } from '@nestjs/common';
import { type Failure, requestError } from '../errors';
import { openAiFailureOf } from '../openai';
import { giveBack, nodeRequest } from '../wire';
import type { AgentPaths } from './agent-paths';
import { bodyTooLarge, malformedJson } from './read-json';
import { StructureMeter } from './structure-meter';

interface FastifyFailure {
  readonly statusCode?: number;
  /** The exceeded limit, if it differs from the route's. */
  readonly limit?: number;
}

interface FastifyReplyLike {
  status(status: number): FastifyReplyLike;
  send(body: unknown): unknown;
}

type PreParsing = (
  request: unknown,
  reply: unknown,
  payload: Readable,
  done: (error: null, payload: Readable) => void,
) => void;

interface FastifyRoute {
  readonly url: string;
  readonly method: string | readonly string[];
  bodyLimit?: number;
  preParsing?: PreParsing | PreParsing[];
  errorHandler?: (error: FastifyFailure, request: unknown, reply: FastifyReplyLike) => unknown;
}

/** The parts of a Fastify instance used here. */
interface FastifyApplication {
  addHook(name: 'onRoute', hook: (route: FastifyRoute) => void): unknown;
  addHook(
    name: 'onError',
    hook: (request: unknown, reply: object, error: unknown, done: () => void) => void,
  ): unknown;
}

/**
 * Gives the agent's routes their own body limit and error format. If a hook of the application
 * fails on an answer of the agent, Fastify sends the error.
 */
export function installOnFastify(application: FastifyApplication, paths: AgentPaths): void {
  application.addHook('onError', (_request, reply, _error, done) => {
    giveBack(reply);
    done();
  });
  application.addHook('onRoute', (route) => {
    const limit = paths.limitOf(route.url);
    if (limit === undefined) return;
    route.bodyLimit = limit;
    const structureLimit = paths.structureLimitOf(route.url);
    if (structureLimit !== undefined) {
      const measure: PreParsing = (_request, _reply, payload, done) =>
        done(null, measured(payload, structureLimit));
      route.preParsing = [...[route.preParsing ?? []].flat(), measure];
    }
    if (route.method === 'DELETE') {
      route.preParsing = [...[route.preParsing ?? []].flat(), untypedIfEmpty];
    }
    route.errorHandler = (error, _request, reply) => {
      const refused = refusalOf(error, limit);
      if (paths.isOpenAi(route.url)) return answer(reply, openAiFailureOf(refused ?? error));
      return refused === undefined ? reply.send(error) : answer(reply, paths.failureOf(refused));
    };
  });
}

/** Clients in Python name a type for a body that they do not send, which Fastify refuses before the guards. */
const untypedIfEmpty: PreParsing = (request, _reply, payload, done) => {
  const { headers } = nodeRequest(request);
  const isEmpty = !headers['transfer-encoding'] && !Number(headers['content-length'] ?? 0);
  if (isEmpty) delete headers['content-type'];
  done(null, payload);
};

/** The body, which fails with 413 once it exceeds the limit for all but long texts. */
function measured(payload: Readable, limit: number): Readable {
  const meter = new StructureMeter(limit);
  const checked = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      if (meter.allows(chunk)) return done(null, chunk);
      // The rest is discarded, so that the client reads the answer.
      payload.unpipe(checked);
      payload.resume();
      done(Object.assign(new Error('Too many small values.'), { statusCode: 413, limit }));
    },
  });
  payload.on('error', (error) => checked.destroy(error));
  return payload.pipe(checked);
}

function answer(reply: FastifyReplyLike, { status, body }: Failure): unknown {
  return reply.status(status).send(body);
}

/** Fastify's rejection of a body as the agent's error; `undefined` for any other failure. */
function refusalOf(
  { statusCode, limit: exceeded }: FastifyFailure,
  limit: number,
): HttpException | undefined {
  switch (statusCode) {
    case 400:
      return malformedJson();
    case 413:
      return bodyTooLarge(exceeded ?? limit);
    case 415:
      return requestError(415, 'unsupported_media_type', 'Send the body as application/json.');
    default:
      return undefined;
  }
}
