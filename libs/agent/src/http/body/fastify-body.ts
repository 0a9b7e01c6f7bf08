import type { HttpException } from '@nestjs/common';
import { requestError } from '../errors/error-status';
import { failureOf, type Failure } from '../errors/failure';
import { openAiFailureOf } from '../openai/openai-error';
import { giveBack } from '../wire/taken-response';
import type { AgentPaths } from './agent-paths';
import { bodyTooLarge, malformedJson } from './read-json';

interface FastifyFailure {
  readonly statusCode?: number;
}

interface FastifyReplyLike {
  status(status: number): FastifyReplyLike;
  send(body: unknown): unknown;
}

interface FastifyRoute {
  readonly url: string;
  bodyLimit?: number;
  errorHandler?: (error: FastifyFailure, request: unknown, reply: FastifyReplyLike) => unknown;
}

/** As much of a Fastify instance as is touched here. */
interface FastifyApplication {
  addHook(name: 'onRoute', hook: (route: FastifyRoute) => void): unknown;
  addHook(
    name: 'onError',
    hook: (request: unknown, reply: object, error: unknown, done: () => void) => void,
  ): unknown;
}

/**
 * Gives the agent's routes their own body limit, and what Fastify refuses the agent's words. Where a
 * hook of the application fails with an answer of the agent's, Fastify answers instead.
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
    route.errorHandler = (error, _request, reply) => {
      const refused = refusalOf(error, limit);
      if (paths.isOpenAi(route.url)) return answer(reply, openAiFailureOf(refused ?? error));
      return refused === undefined ? reply.send(error) : answer(reply, failureOf(refused));
    };
  });
}

function answer(reply: FastifyReplyLike, { status, body }: Failure): unknown {
  return reply.status(status).send(body);
}

/** What Fastify said of a body that it did not take; `undefined` of any other failure. */
function refusalOf({ statusCode }: FastifyFailure, limit: number): HttpException | undefined {
  switch (statusCode) {
    case 400:
      return malformedJson();
    case 413:
      return bodyTooLarge(limit);
    case 415:
      return requestError(415, 'unsupported_media_type', 'Send the body as application/json.');
    default:
      return undefined;
  }
}
