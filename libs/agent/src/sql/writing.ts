import type { RawBuilder } from 'kysely';
import { type AppendOptions, mergedSpendings } from '../session';
import type { Queries } from './database';
import { toStoredText } from './stored-text';
import { addingTo } from './usage';

/** The parts of a statement that write a session's entries and usage; its row is in `head`. */
export function writing(
  queries: Queries,
  {
    entries,
    expectedVersion,
    spent = [],
  }: Pick<AppendOptions, 'entries' | 'expectedVersion' | 'spent'>,
): RawBuilder<unknown> {
  const { sql, named } = queries;
  const starts = entries.flatMap((entry, index) =>
    entry.type === 'run.started'
      ? [{ runId: toStoredText(entry.runId), position: expectedVersion + index + 1 }]
      : [],
  );
  const started =
    starts.length === 0
      ? sql``
      : sql`, started as (
          insert into ${named('agent_runs')} (run_id, session_id, position)
          select run.id, head.id, run.position
          from head
          cross join unnest(
            ${starts.map(({ runId }) => runId)}::text[],
            ${starts.map(({ position }) => position)}::integer[]
          ) as run(id, position)
          on conflict do nothing
        ), forgotten as (
          delete from ${named('agent_deliveries')} using head where session_id = head.id)`;
  const spendings = mergedSpendings(spent);
  const ledger =
    spendings.length === 0
      ? sql``
      : sql`, spent as (${addingTo(queries, { owner: sql`head.owner`, from: sql`from head` }, spendings)})`;
  return sql`, written as (
      insert into ${named('agent_entries')} (session_id, position, entry)
      select head.id, ${expectedVersion}::integer + added.place::integer, added.entry
      from head
      cross join unnest(${entries.map((entry) => JSON.stringify(entry))}::text[])
        with ordinality as added(entry, place)
    )${started}${ledger}`;
}
