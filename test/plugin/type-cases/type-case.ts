import type { JsonValue } from 'nestjs-agent/types';

/** A type of a parameter, with values that it takes and values that it refuses. */
export interface TypeCase {
  readonly type: string;
  readonly takes: readonly JsonValue[];
  readonly refuses: readonly JsonValue[];
  /** The values that the method receives, as Node prints them, where they are not the same. */
  readonly becomes?: readonly string[];
}

export const of = (
  type: string,
  takes: readonly JsonValue[],
  refuses: readonly JsonValue[],
  becomes?: readonly string[],
): TypeCase => ({ type, takes, refuses, ...(becomes && { becomes }) });

export const DAY = '2024-05-01T10:30:00.000Z';
export const POINT = { x: 1, y: 2 };
export const NAMED = { name: 'Ada' };
