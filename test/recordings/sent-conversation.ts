import type { Message } from 'nestjs-agent';
import type { JsonObject } from 'nestjs-agent/types';

/** A recorded request, as a session would have kept its conversation. */
export interface Conversation {
  readonly system?: string;
  readonly messages: readonly Message[];
}

/**
 * One format of a conversation: parses a request's body, and selects the significant parts of a body.
 * Equivalent spellings have one form there.
 */
export interface SentForm {
  /** @param provider the name under which the blocks hold opaque data */
  read(body: JsonObject, provider: string): Conversation | undefined;
  normal(body: JsonObject): readonly unknown[];
}

export function objects(value: unknown): readonly JsonObject[] {
  const isObject = (each: unknown): each is JsonObject =>
    typeof each === 'object' && each !== null && !Array.isArray(each);
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Arguments as the object that they are. */
export function argumentsOf(value: unknown): JsonObject {
  const given = text(value);
  return JSON.parse(given === '' ? '{}' : given) as JsonObject;
}

/** Missing and empty values are equivalent. */
export function withoutEmpty(value: object): object {
  const isGiven = ([, each]: [string, unknown]) =>
    each !== undefined && each !== null && each !== '' && !(Array.isArray(each) && !each.length);
  return Object.fromEntries(Object.entries(value).filter(isGiven));
}
