import type { Draft, LeaseSignals, SessionHeadline, SessionRecord } from '../session';
import type { SqlTag } from './database';
import { fromStoredText } from './stored-text';

/** The columns of a record, for `select` and `returning`. */
export function recordColumns(sql: SqlTag) {
  return sql`id, owner, agent, parent, created_at, last_used_at, version, read_from, headline, draft,
    coalesce(lease_until > clock_timestamp(), false) as is_held`;
}

export interface RecordRow {
  readonly id: string;
  readonly owner: string | null;
  readonly agent: string | null;
  readonly parent: string | null;
  readonly created_at: Date;
  readonly last_used_at: Date;
  readonly version: number;
  readonly read_from: number;
  readonly headline: string | null;
  readonly draft: string | null;
  readonly is_held: boolean;
}

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
  return sql`stop_run, coalesce(attended_until > clock_timestamp(), false) as is_attended`;
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
