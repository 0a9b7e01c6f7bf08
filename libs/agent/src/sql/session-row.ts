import type { Selectable } from 'kysely';
import type { SessionRecord } from '../session';
import { fromStoredText } from './stored-text';
import type { Tables } from './tables';

/** The columns that make a record. */
export const RECORD = [
  'id',
  'owner',
  'created_at',
  'last_used_at',
  'version',
  'read_from',
] as const;

type RecordRow = Pick<Selectable<Tables['agent_sessions']>, (typeof RECORD)[number]>;

/** A connection may hand times out as text, where the application changed its type parsers. */
export function recordOf(row: RecordRow): SessionRecord {
  return {
    id: fromStoredText(row.id),
    ...(row.owner !== null && { owner: fromStoredText(row.owner) }),
    createdAt: new Date(row.created_at),
    lastUsedAt: new Date(row.last_used_at),
    version: row.version,
    readFrom: row.read_from,
  };
}
