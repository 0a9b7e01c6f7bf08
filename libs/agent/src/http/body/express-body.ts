import type { IncomingMessage, ServerResponse } from 'node:http';
import { HttpException } from '@nestjs/common';
import { openAiFailureOf } from '../openai';
import type { AgentPaths } from './agent-paths';
import { noteBodyFailure } from './body-failure';
import { mediaTypeOf, readJson } from './read-json';

type Middleware = (
  request: IncomingMessage & { body?: unknown; _body?: boolean; originalUrl?: string },
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/** The parts of an Express application used here. */
interface ExpressApplication {
  use(middleware: Middleware): unknown;
  readonly router?: { readonly stack?: Layer[] };
}

interface Layer {
  readonly handle?: { readonly name?: string };
  /** Whether it handles every path. */
  readonly slash?: boolean;
}

/**
 * Puts the agent's body reader before the application's first parser of bodies, but after any earlier
 * middleware, such as CORS. Without such a parser it is placed before the routes.
 */
export function installOnExpress(application: ExpressApplication, paths: AgentPaths): void {
  application.use(agentBodyReader(paths));
  const stack = application.router?.stack;
  const parser = stack?.findIndex(readsJson) ?? -1;
  if (stack === undefined || parser < 0) return;
  const reader = stack.pop();
  if (reader !== undefined) stack.splice(parser, 0, reader);
}

/** Parsers of bytes and texts on a path of their own are for others, such as webhooks. */
function readsJson({ handle: { name = '' } = {}, slash }: Layer): boolean {
  return name === 'jsonParser' || (slash === true && /^(raw|text)Parser$/.test(name));
}

function agentBodyReader(paths: AgentPaths): Middleware {
  return function agentBodyReader(request, response, next) {
    const url = request.originalUrl ?? request.url ?? '';
    const limit = request.method === 'POST' ? paths.limitOf(url) : undefined;
    if (
      limit === undefined ||
      request.readableEnded ||
      mediaTypeOf(request) !== 'application/json'
    ) {
      next();
      return;
    }
    // By this mark body-parser 1 and the parsers that follow it know a body that was read.
    request._body = true;
    readJson(request, limit, paths.structureLimitOf(url)).then(
      (body) => {
        request.body = body;
        next();
      },
      (error: unknown) => {
        if (!(error instanceof HttpException)) return next(error);
        // Answered here: the next parser would read the rest of the body.
        if (error.getStatus() === 413) return refuse(error, url, response);
        noteBodyFailure(request, error);
        // The next parser would read the rest, and answer before the guards.
        if (request.readableEnded || request.destroyed) return next();
        request
          .once('end', next)
          .once('close', () => request.readableEnded || next())
          .resume();
      },
    );
  };

  function refuse(error: HttpException, url: string, response: ServerResponse): void {
    const { status, body } = paths.isOpenAi(url) ? openAiFailureOf(error) : paths.failureOf(error);
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
    response.end(JSON.stringify(body));
  }
}
