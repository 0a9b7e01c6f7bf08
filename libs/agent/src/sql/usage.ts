import type { RawBuilder } from 'kysely';
import {
  BUCKET_MS,
  mergedSpendings,
  minutesOf,
  type Spending,
  type UsageQuery,
  type UsageSum,
} from '../session';
import type { Queries } from './database';
import { fromStoredText, toStoredText } from './stored-text';

/** The owner of anonymous usage. Unique, because JSON escapes quotes in stored texts. */
const ANONYMOUS = '"';

const COUNTS = [
  ['runs', ({ runs }: Spending) => runs],
  ['tool_calls', ({ toolCalls }: Spending) => toolCalls],
  ['input_tokens', ({ usage }: Spending) => usage.inputTokens],
  ['output_tokens', ({ usage }: Spending) => usage.outputTokens],
  ['total_tokens', ({ usage }: Spending) => usage.totalTokens],
  ['cached_input_tokens', ({ usage }: Spending) => usage.cachedInputTokens],
  ['cache_write_tokens', ({ usage }: Spending) => usage.cacheWriteTokens],
  ['reasoning_tokens', ({ usage }: Spending) => usage.reasoningTokens],
] as const;

const COLUMNS = COUNTS.map(([name]) => name).join(', ');
const ADDED = COUNTS.map(([name]) => `${name} = total.${name} + excluded.${name}`).join(', ');

type Counted = Readonly<Record<(typeof COUNTS)[number][0], number>>;

/**
 * A statement that adds to the current minute.
 *
 * @param of the owner, and the table to read it from
 * @param spendings merged and sorted, so that two statements never deadlock
 */
export function addingTo(
  queries: Queries,
  of: { readonly owner: RawBuilder<unknown>; readonly from: RawBuilder<unknown> },
  spendings: readonly Spending[],
): RawBuilder<unknown> {
  const { sql, named } = queries;
  const given = COUNTS.map(([, count]) => sql`${spendings.map(count)}::bigint[]`);
  return sql`
    insert into ${named('agent_usage')} as total (owner, minute, agent, model, ${sql.raw(COLUMNS)})
    select coalesce(${of.owner}, ${ANONYMOUS}::text),
      floor(extract(epoch from clock_timestamp()) * 1000 / ${sql.lit(BUCKET_MS)})::integer,
      given.*
    ${of.from}
    cross join unnest(
      ${spendings.map(({ agent }) => toStoredText(agent))}::text[],
      ${spendings.map(({ model }) => toStoredText(model))}::text[],
      ${sql.join(given)}
    ) as given
    on conflict (owner, minute, agent, model) do update set ${sql.raw(ADDED)}`;
}

export async function addUsage(
  queries: Queries,
  owner: string | undefined,
  spent: readonly Spending[],
): Promise<void> {
  const spendings = mergedSpendings(spent);
  if (spendings.length === 0) return;
  const { sql, db } = queries;
  const stored = owner === undefined ? null : toStoredText(owner);
  const from = sql`from (select ${stored}::text as owner) as head`;
  await addingTo(queries, { owner: sql`head.owner`, from }, spendings).execute(db);
}

export async function sumsOf(queries: Queries, query: UsageQuery): Promise<readonly UsageSum[]> {
  const { sql, db, named } = queries;
  const { by, owner } = query;
  const { first, end } = minutesOf(query);
  const isBy = (field: UsageQuery['by'][number]) => by.includes(field);
  const start = isBy('minute') ? sql`minute` : sql`minute - minute % 1440`;
  const fields = [
    ...(['owner', 'agent', 'model'] as const).filter(isBy).map((field) => sql`${sql.ref(field)}`),
    ...(isBy('minute') || isBy('day') ? [sql`${start} as starts`] : []),
  ];
  const places = fields.map((_field, index) => sql.lit(index + 1));
  const sums = COUNTS.map(([name]) => sql`sum(${sql.ref(name)})::float8 as ${sql.ref(name)}`);
  const { rows } = await sql<Counted & FieldsRow>`
    select ${sql.join([...fields, ...sums])}
    from ${named('agent_usage')}
    where minute >= ${first}::integer
      ${end === undefined ? sql`` : sql`and minute < ${end}::integer`}
      ${owner === undefined ? sql`` : sql`and owner = ${toStoredText(owner)}`}
    ${places.length === 0 ? sql`having count(*) > 0` : sql`group by ${sql.join(places)}`}`.execute(
    db,
  );
  return rows.map(sumOf);
}

interface FieldsRow {
  readonly owner?: string;
  readonly agent?: string;
  readonly model?: string;
  readonly starts?: number;
}

function sumOf({ owner, agent, model, starts, ...counted }: Counted & FieldsRow): UsageSum {
  const isNamed = owner !== undefined && owner !== ANONYMOUS;
  return {
    ...(isNamed && { owner: fromStoredText(owner) }),
    ...(agent !== undefined && { agent: fromStoredText(agent) }),
    ...(model !== undefined && { model: fromStoredText(model) }),
    ...(starts !== undefined && { at: new Date(Number(starts) * BUCKET_MS) }),
    runs: counted.runs,
    toolCalls: counted.tool_calls,
    usage: {
      inputTokens: counted.input_tokens,
      outputTokens: counted.output_tokens,
      totalTokens: counted.total_tokens,
      cachedInputTokens: counted.cached_input_tokens,
      cacheWriteTokens: counted.cache_write_tokens,
      reasoningTokens: counted.reasoning_tokens,
    },
  };
}

export async function removeUsage({ db, sql, named }: Queries, before: Date): Promise<void> {
  const { first } = minutesOf({ from: before });
  await sql`delete from ${named('agent_usage')} where minute < ${first}::integer`.execute(db);
}
