import { setTimeout as delay } from 'node:timers/promises';
import type { ChatResult } from 'nestjs-agent';
import type { ContentBlock, PendingAction, RecordedEntry } from 'nestjs-agent/types';
import { IS_THOROUGH, roundsOf } from '../failure-rounds';
import { Fleet } from '../fleet/fleet';
import { Supervisor } from '../fleet/supervisor';
import { LEVEL_1, LEVEL_3, QUEUE_IN_POSTGRES, type Topology } from '../fleet/topology';
import { newTag } from '../fleet/worked-runs';
import { runSql } from '../postgres';

jest.setTimeout(IS_THOROUGH ? 3_600_000 : 300_000);

const AGAIN_MS = 50;
/** Live processes must not lose their leases while the machine pauses. */
const LEASE_MS = 5_000;

/** The application's agent asks the clerk, who asks the archive. */
type AgentName = 'agent' | 'clerk' | 'archive';

/** The archive's write: one without approval, or one that needs it. */
type Deed = 'write' | 'remove';

type Point = `${Deed}, ${AgentName}: ${'before' | 'after'} ${string}`;

/** Where the queue of runs is; without one, web processes execute them. */
type QueueName = 'redis' | 'postgres' | 'none';

/**
 * Entries of the agents' journals, in the order in which a run stores them: whether the next worker gets
 * the clerk's answer, and the queues tried in every run of the tests; `test:failures` tries all.
 */
const POINTS: Readonly<Record<Point, readonly ['kept' | 'lost', ...QueueName[]]>> = {
  'write, agent: before session.created': ['kept', 'redis'],
  'write, agent: after session.created': ['kept', 'none'],
  'write, clerk: before session.created': ['lost'],
  'write, clerk: after session.created': ['lost', 'postgres'],
  'write, archive: after run.started': ['lost'],
  'write, archive: before call.started': ['lost'],
  'write, archive: after call.started': ['lost'],
  'write, archive: before call.settled': ['lost', 'redis'],
  'write, archive: after call.settled': ['lost'],
  'remove, archive: before run.parked': ['lost', 'none'],
  'remove, archive: after run.parked': ['lost'],
  'remove, clerk: before run.parked': ['lost'],
  'remove, clerk: after run.parked': ['kept', 'redis'],
  'remove, agent: before run.parked': ['kept'],
  'remove, agent: after run.parked': ['kept', 'postgres'],
  'remove, archive: before action.answered': ['kept'],
  'remove, archive: after action.answered': ['kept'],
  'remove, clerk: before action.answered': ['kept'],
  'remove, clerk: after action.answered': ['kept', 'postgres'],
  'remove, agent: before action.answered': ['kept'],
  'remove, agent: after action.answered': ['kept'],
  'remove, archive: before run.resumed': ['lost'],
  'remove, archive: after run.resumed': ['lost'],
  'remove, archive: before call.started': ['lost'],
  'remove, archive: after call.started': ['lost'],
  'remove, archive: before call.settled': ['lost', 'none'],
  'remove, archive: before run.finished': ['lost'],
  'remove, archive: after run.finished': ['lost', 'redis'],
  'remove, clerk: before call.settled': ['lost'],
  'remove, clerk: after call.settled': ['lost'],
  'remove, clerk: before run.finished': ['lost'],
  'remove, clerk: after run.finished': ['kept', 'postgres'],
  'remove, agent: before call.settled': ['kept', 'redis'],
  'remove, agent: after call.settled': ['kept'],
};

const ROUNDS = roundsOf('askedKills');

/** The model is not told to send a message again, whose writes may have happened. */
const STOPPED: unknown = expect.stringMatching(/was stopped before it answered\. .* stays done\.$/);

describe.each<{ topology: Topology; queue: QueueName; name: string }>([
  { name: 'a queue in Redis', queue: 'redis', topology: { ...LEVEL_3, webs: 1, workers: 0 } },
  {
    name: 'a queue in PostgreSQL',
    queue: 'postgres',
    topology: { ...QUEUE_IN_POSTGRES, webs: 1, workers: 0 },
  },
  { name: 'no queue', queue: 'none', topology: { ...LEVEL_1, webs: 1 } },
])('agents that ask one another, with $name', ({ topology, queue }) => {
  let fleet: Fleet;
  const supervisors: Supervisor[] = [];

  beforeAll(async () => {
    fleet = await Fleet.start(topology, { leaseMs: LEASE_MS });
    const webs = new Supervisor(async (before) => {
      const next = await fleet.web();
      if (before) await fleet.replace(before, next);
      return next;
    });
    webs.keep(fleet.webs[0]);
    const workers = new Supervisor(() => fleet.worker({ concurrency: 1 }));
    if (queue !== 'none') workers.keep();
    supervisors.push(webs, workers);
  });
  afterAll(async () => {
    await Promise.all(supervisors.map((each) => each.close()));
    await fleet.close();
  });

  const points = Object.entries(POINTS)
    .filter(([, [, ...tried]]) => IS_THOROUGH || tried.includes(queue))
    .flatMap(([point, [answer]]) => Array.from({ length: ROUNDS }, () => ({ point, answer })));

  it.each(points)('write once and give each call one result if killed: $point', async (killed) => {
    const [, deed = '', agent, point = ''] = /^(\w+), (\w+): (.*)$/.exec(killed.point) ?? [];
    const tag = newTag();
    const dieAt = (of: AgentName): string => (of === agent ? `; die ${point}` : '');
    const archive = `${deed}; say 1${dieAt('archive')}`;
    const clerk = `ask_archive(${archive}); say 1${dieAt('clerk')}`;
    const orders = `ask_clerk(${clerk}); write; say 1${dieAt('agent')}`;
    const { runId, sessionId, ...run } = await begun(`${tag}: ${orders}`);
    const isWaiting = run.end.status === 'requires_action';
    if (isWaiting) await approve(runId, run.end.pendingActions);
    const { status, toolCalls } = await over(runId);
    // The next question ends the run that the killed process left open.
    const next = `${tag}.next: ask_clerk(ask_archive(say 1); say 1); say 1`;
    const { end } = await begun(next, sessionId);
    expect(end).toMatchObject({ status: 'completed', message: '1.0 ' });
    await expectDeath(tag, point);
    expectWrites(tag);
    await expectOneResultPerCall(sessionId);
    if (queue === 'none') return;
    const isKept = killed.answer === 'kept';
    expect({ status, toolCalls }).toMatchObject({
      status: 'completed',
      toolCalls: [
        { name: 'ask_clerk', isError: !isKept, output: isKept ? '1.0 ' : STOPPED },
        { name: 'write', isError: false },
      ],
    });
    // An accepted approval took effect once.
    if (isKept) expect(fleet.of('writes', `${tag}.clerk.archive`)).toHaveLength(1);
  });

  /** A run, up to its end or its approval. */
  async function begun(message: string, sessionId?: string) {
    const run = await fleet.run('ann', message, { ...(sessionId && { sessionId }) });
    const { end } = await run.toItsEnd();
    return { runId: run.runId, sessionId: run.sessionId, end };
  }

  async function expectDeath(tag: string, point: string): Promise<void> {
    const deaths = fleet.of('dies', tag);
    expect(deaths).toMatchObject([{ point }]);
    expect(await deaths[0]?.by.ended()).toBe('SIGKILL');
  }

  function expectWrites(tag: string): void {
    const writes = fleet.of('writes', tag).map((write) => `${write.tag} ${write.step}`);
    expect(writes).toEqual([...new Set(writes)]);
  }

  async function expectOneResultPerCall(sessionId: string): Promise<void> {
    const journals = await journalsOf(sessionId);
    expect(journals.length).toBeGreaterThanOrEqual(3);
    for (const entries of journals) {
      const calls = entries.flatMap((entry) =>
        entry.type === 'step.finished' ? entry.message.content.flatMap(idOfCall) : [],
      );
      const results = entries.flatMap((entry) =>
        entry.type === 'call.settled' ? [entry.result.tool_use_id] : [],
      );
      expect(results.toSorted()).toEqual(calls.toSorted());
      const count = (type: string) => entries.filter((entry) => entry.type === type).length;
      expect(count('run.finished')).toBe(count('run.started'));
    }
  }

  /** Approves, unless the process that was asked first had stored the approval before it died. */
  async function approve(runId: string, pending: readonly PendingAction[]): Promise<void> {
    const actions = pending.map(({ callId }) => ({ callId, type: 'approve' }));
    for (;;) {
      const path = `/runs/${runId}/actions`;
      const { status, body } = await fleet.request('ann', 'POST', path, { actions });
      if (status === 200) return;
      if (body.code === 'already_resolved') return;
      if (status < 500 && body.code !== 'session_busy') throw new Error(`${status} ${body.code}`);
      await delay(AGAIN_MS);
    }
  }

  async function over(runId: string): Promise<ChatResult> {
    for (;;) {
      const { status, body } = await fleet.request('ann', 'GET', `/runs/${runId}`);
      if (status === 200 && !['queued', 'running'].includes(body.status)) return body;
      await delay(AGAIN_MS);
    }
  }

  /** The entries of the three sessions of a conversation. */
  async function journalsOf(sessionId: string): Promise<readonly (readonly RecordedEntry[])[]> {
    const { schema } = fleet;
    const rows = await runSql<{ readonly entries: string[] }>(
      `with recursive sessions as (
        select id from ${schema}.agent_sessions where id = $1
        union all
        select child.id from ${schema}.agent_sessions as child join sessions on parent = sessions.id
      ) select array_agg(entry order by position) as entries
      from sessions join ${schema}.agent_entries on session_id = id group by id`,
      [sessionId],
    );
    return rows.map(({ entries }) => entries.map((entry) => JSON.parse(entry) as RecordedEntry));
  }
});

function idOfCall(block: ContentBlock): readonly string[] {
  return block.type === 'tool_use' ? [block.id] : [];
}
