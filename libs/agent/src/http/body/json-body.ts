import { HttpException, ValidationPipe, type Type } from '@nestjs/common';
import { isJsonObject, type JsonObject, type JsonValue } from '../../message';
import { requestError } from '../errors';
import { bodyOf, nodeRequest } from '../wire';
import { bodyFailureOf } from './body-failure';
import { plainJsonIssue } from './plain-json';
import { mediaTypeOf } from './read-json';
import { isKeptJson } from '../dto';

/**
 * Far above the largest intended body. class-validator takes seconds for a hundred thousand keys,
 * and reports each.
 */
const MAX_CHECKED = 5_000;

/**
 * The endpoints validate independently of the application's pipes: a global pipe that strips or
 * converts would change the body.
 */
const validation = new ValidationPipe({
  whitelist: true,
  forbidNonWhitelisted: true,
  transform: true,
  validationError: { target: false, value: false },
});

/** The most problems in one answer; a body could have thousands. */
const MAX_TOLD = 20;

/**
 * A request's JSON body as a DTO, validated and without unknown keys.
 *
 * @typeParam T the DTO's class
 * @param type the class, with `class-validator`'s decorators
 * @param request the framework's request
 * @throws HttpException 415 for any other media type, so that no form reaches an endpoint; 400 and
 *   413 with their codes
 * @example
 * import { readBody, type Exchange } from 'nestjs-agent/endpoints';
 *
 * class NoteDto {
 *   \@IsString()
 *   text!: string;
 * }
 *
 * async function textOfNote({ request }: Exchange): Promise<string> {
 *   return (await readBody(NoteDto, request)).text;
 * }
 */
export async function readBody<T extends object>(type: Type<T>, request: unknown): Promise<T> {
  const body = readJsonBody(request);
  const issue = breadthIssue(body, type);
  if (issue !== undefined) throw invalidRequest([issue]);
  try {
    return (await validation.transform(body, { type: 'body', metatype: type })) as T;
  } catch (error) {
    throw invalidRequest(messagesOf(error), error);
  }
}

/**
 * The unmodified body: a JSON object of bounded depth.
 *
 * @param request the framework's request
 * @throws HttpException as `readBody` does
 * @example
 * import { readJsonBody, type Exchange } from 'nestjs-agent/endpoints';
 *
 * function methodOfCall({ request }: Exchange): unknown {
 *   return readJsonBody(request)['method'];
 * }
 */
export function readJsonBody(request: unknown): JsonObject {
  const body = jsonBodyOf(request);
  if (!isJsonObject(body)) throw invalidRequest(['The body must be a JSON object.']);
  return body;
}

/**
 * The unmodified body: any JSON value of bounded depth.
 *
 * @throws HttpException as `readBody` does
 */
export function jsonBodyOf(request: unknown): JsonValue | undefined {
  const raw = nodeRequest(request);
  const failure = bodyFailureOf(raw);
  if (failure !== undefined) throw failure;
  if (mediaTypeOf(raw) !== 'application/json') {
    throw requestError(
      415,
      'unsupported_media_type',
      'Send the body as JSON, with the header "Content-Type: application/json".',
    );
  }
  const body = bodyOf(request) as JsonValue | undefined;
  const issue = body === undefined ? undefined : plainJsonIssue(body);
  if (issue !== undefined) throw invalidRequest([issue]);
  return body;
}

export function invalidRequest(messages: readonly string[], cause?: unknown): HttpException {
  return requestError(400, 'invalid_request', messages, { cause });
}

function messagesOf(error: unknown): readonly string[] {
  if (!(error instanceof HttpException)) throw error;
  const response = error.getResponse();
  const message =
    typeof response === 'string' ? response : (response as { message: unknown }).message;
  return Array.isArray(message) ? (message as string[]).slice(0, MAX_TOLD) : [String(message)];
}

/** The problem of a body with too many keys and list items to validate. */
function breadthIssue(body: JsonObject, type: Type<object>): string | undefined {
  const checked = Object.entries(body)
    .filter(([key]) => !isKeptJson(type, key))
    .reduce((sum, [, value]) => sum + 1 + (Array.isArray(value) ? partsOf(value) : 0), 0);
  if (checked <= MAX_CHECKED) return undefined;
  return `The body has more than ${MAX_CHECKED} keys and list items.`;
}

/** Counts the items of nested lists, and the keys of objects in them. */
function partsOf(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (!Array.isArray(value)) return Object.keys(value).length;
  return (value as readonly JsonValue[]).reduce<number>((sum, item) => sum + 1 + partsOf(item), 0);
}
