import type { Selectable } from 'kysely';
import type { Draft, LeaseSignals, SessionHeadline, SessionRecord } from '../session';
import { now, type SqlTag, type Tables } from './database';
import { fromStoredText } from './stored-text';

type SessionRow = Selectable<Tables['agent_sessions']>;

/** The columns of a record. */
const RECORD = [
  'id',
  'owner',
  'agent',
  'parent',
  'created_at',
  'last_used_at',
  'version',
  'read_from',
  'headline',
  'draft',
] as const;

/** The columns of a record, for `select` and `returning`. */
export function recordColumns(sql: SqlTag) {
  const isHeld = sql<boolean>`coalesce(lease_until > ${now(sql)}, false)`.as('is_held');
  return [...RECORD.map((column) => `agent_sessions.${column}` as const), isHeld] as const;
}

export type RecordRow = Pick<SessionRow, (typeof RECORD)[number]> & { readonly is_held: boolean };

/** Connections may return times as text if the application changed its type parsers. */
export function recordOf(row: RecordRow): SessionRecord {
  return {
    id: fromStoredText(row.id),
    ...(row.owner !== null && { owner: fromStoredText(row.owner) }),
    ...(row.agent !== null && { agent: fromStoredText(row.agent) }),
    ...(row.parent !== null && { parent: fromStoredText(row.parent) }),
    createdAt: new Date(row.created_at),
    lastUsedAt: new Date(row.last_used_at),
    version: row.version,
    readFrom: row.read_from,
    isHeld: row.is_held,
    ...(row.headline !== null && { headline: JSON.parse(row.headline) as SessionHeadline }),
    ...(row.draft !== null && { draft: JSON.parse(row.draft) as Draft }),
  };
}

/** The columns of signals, for `returning`. */
export function signalColumns(sql: SqlTag) {
  const isAttended = sql<boolean>`coalesce(attended_until > ${now(sql)}, false)`.as('is_attended');
  return ['stop_run', isAttended] as const;
}

export interface SignalRow {
  readonly stop_run: string | null;
  readonly is_attended: boolean;
}

export function signalsOf({ stop_run: stop, is_attended: isAttended }: SignalRow): LeaseSignals {
  return {
    ...(stop !== null && { stop: fromStoredText(stop) }),
    ...(isAttended && { isAttended }),
  };
}
