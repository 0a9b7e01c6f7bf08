import { setTimeout as delay } from 'node:timers/promises';
import {
  type CanActivate,
  Controller,
  type DynamicModule,
  type ExecutionContext,
  Get,
  Injectable,
  Logger,
  Module,
  Req,
  UseGuards,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { AgentModule } from '../agent.module';
import { Tool } from '../decorators';
import type { AgentModuleOptions } from '../options';
import { type ChatResult, memoryBus, type RunCredentials, type RunQueue } from '../run';
import { MemoryQueue } from '../run/fixtures/memory-queue';
import { memoryStore } from '../session';
import { Barrier, ScriptedModel, type ScriptedStep } from '../testing';

type App = NestExpressApplication | NestFastifyApplication;

/** The users who may log in now. */
const users = new Set<string>();
const SECRETS = ['a secret of at least 32 characters'] as const;
const ADDRESS = '203.0.113.7';

interface LoggedIn {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly ip: string;
  user?: { id: string };
}

@Injectable()
class LoginGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<LoggedIn>();
    const [, user = ''] = request.headers['authorization']?.split(' ') ?? [];
    if (!users.has(user)) return false;
    request.user = { id: user };
    return true;
  }
}

/** What reached the route. */
const calls: string[] = [];

@Controller('orders')
@UseGuards(LoginGuard)
class OrdersController {
  @Get()
  @Tool({ name: 'orders', description: 'The orders' })
  list(@Req() request: LoggedIn): string {
    calls.push(`${request.user?.id} from ${request.ip}`);
    return 'none';
  }
}

const STEPS: readonly ScriptedStep[] = [{ toolCalls: [{ name: 'orders' }] }, 'You have none.'];

const CREDENTIALS: RunCredentials = {
  delegate: (request) => `claim of ${(request as LoggedIn).user?.id}`,
  redeem: (claim) => ({
    headers: { Authorization: `Bearer ${claim.replace('claim of ', '')}` },
    expiresAt: new Date(Date.now() + 600_000),
  }),
  secrets: SECRETS,
};

describe.each(['express', 'fastify'] as const)('a worker becomes the caller, on %s', (adapter) => {
  const apps: App[] = [];
  let queue: MemoryQueue;
  let store: ReturnType<typeof memoryStore>;
  let bus: ReturnType<typeof memoryBus>;

  beforeEach(() => {
    queue = new MemoryQueue();
    store = memoryStore();
    bus = memoryBus();
    calls.length = 0;
    users.clear();
    for (const user of ['alice', 'bob']) users.add(user);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await Promise.all(apps.splice(0).map((app) => app.close()));
  });

  const start = async (
    role: RunQueue['role'],
    credentials: RunCredentials | 'none' | undefined = CREDENTIALS,
    options: Partial<AgentModuleOptions> = {},
    others: readonly DynamicModule[] = [],
  ): Promise<App> => {
    const runs = queue.connect(role, { credentials });
    const agent = AgentModule.forRoot({
      model: new ScriptedModel(Array.from({ length: 20 }, () => STEPS).flat()),
      runs,
      bus,
      sessions: { store },
      decorators: [UseGuards(LoginGuard)],
      ...options,
    });
    @Module({ imports: [agent, ...others], controllers: [OrdersController] })
    class AppModule {}
    const made: App =
      adapter === 'fastify'
        ? await NestFactory.create<NestFastifyApplication>(
            AppModule,
            new FastifyAdapter({ trustProxy: true }),
            { logger: false },
          )
        : await NestFactory.create<NestExpressApplication>(AppModule, { logger: false });
    if (adapter === 'express') (made as NestExpressApplication).set('trust proxy', true);
    apps.push(made);
    made.setGlobalPrefix('api');
    if (role === 'web') await made.listen(0, '127.0.0.1');
    else await made.init();
    return made;
  };

  const post = async (app: App, path: string, body: unknown, user = 'alice'): Promise<Response> => {
    const url = await app.getUrl();
    return fetch(`${url}/api/agent/${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${user}`,
        'content-type': 'application/json',
        'x-forwarded-for': ADDRESS,
        'x-canary': 'canary-of-a-header',
      },
      body: JSON.stringify(body),
    });
  };

  const stored = async (sessionId: string): Promise<string> =>
    JSON.stringify([await store.read(sessionId), await store.queuedRun?.(sessionId)]);

  it('through the guards, from the address of the request, and only as that user', async () => {
    const web = await start('web');
    const answered = post(web, 'chat', { message: 'What did I order?' });
    await settledQueue(queue);
    const [job] = queue.jobs.map((each) => each.job);
    const kept = JSON.stringify(job) + (await stored(job?.sessionId ?? ''));
    expect(kept).toContain(job?.sealed);
    for (const secret of ['Bearer', 'claim of', 'canary', ADDRESS]) {
      expect(kept).not.toContain(secret);
    }
    await start('worker');
    const answer = await answered;
    expect(await answer.json()).toMatchObject({ status: 'completed', message: 'You have none.' });
    expect(calls).toEqual([`alice from ${ADDRESS}`]);
    expect(await stored(job?.sessionId ?? '')).not.toContain(job?.sealed);
  });

  it.each([
    ['chat/stream', { message: 'hi' }, 'You have none.'],
    ['ai-sdk', { id: 'c', messages: [uiMessage()], trigger: 'submit-message' }, 'You have none.'],
    ['ag-ui', agUiInput(), 'You have none.'],
    ['v1/responses', { model: 'agent', input: 'hi', stream: true }, 'You have none.'],
  ])('in every protocol: %s', async (path, body, text) => {
    const web = await start('web');
    await start('worker');
    const answer = await post(web, path, body);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain(text);
    expect(queue.delivered).toHaveLength(1);
    expect(calls).toEqual([`alice from ${ADDRESS}`]);
  });

  it('for a tool of the page, whose result arrives at another process', async () => {
    const tool = { name: 'pick', description: 'Pick', input_schema: { type: 'object' } };
    const steps = [{ toolCalls: [{ name: 'pick' }] }, 'Picked.'];
    const web = await start('web');
    await start('worker', CREDENTIALS, { model: new ScriptedModel(steps) });
    const stream = await post(web, 'chat/stream', { message: 'hi', frontendTools: [tool] });
    let text = '';
    for await (const piece of stream.body as unknown as AsyncIterable<Uint8Array>) {
      const before = text;
      text += Buffer.from(piece).toString();
      const { callId } =
        /"frontend.call"(?=.*?"callId":"(?<callId>[^"]+)")/.exec(text)?.groups ?? {};
      const isNew = !before.includes('"frontend.call"') && callId !== undefined;
      const sessionId = /"sessionId":"([^"]+)"/.exec(text)?.[1];
      if (!isNew) continue;
      const result = { sessionId, callId, result: 'the red one' };
      const stranger = await post(web, 'chat/tool-result', result, 'bob');
      expect(stranger.status).toBe(404);
      expect(await (await post(web, 'chat/tool-result', result)).json()).toMatchObject({
        success: true,
      });
    }
    expect(text).toContain('the red one');
    expect(text).toContain('Picked.');
  });

  it('of a further agent, behind the guards of that one', async () => {
    const support = AgentModule.forFeature({
      name: 'support',
      decorators: [UseGuards(LoginGuard)],
      tools: { include: ['orders'] },
    });
    const web = await start('web', CREDENTIALS, {}, [support]);
    await start('worker', CREDENTIALS, {}, [support]);
    const answer = await post(web, '../support/chat', { message: 'hi' });
    expect(await answer.json()).toMatchObject({ status: 'completed', message: 'You have none.' });
    expect(queue.delivered).toEqual([expect.objectContaining({ agent: 'support' })]);
    expect(calls).toEqual([`alice from ${ADDRESS}`]);
  });

  it('and never lets a job take a session to another agent', async () => {
    const support = AgentModule.forFeature({
      name: 'support',
      decorators: [UseGuards(LoginGuard)],
    });
    const web = await start('web', CREDENTIALS, {}, [support]);
    const answered = post(web, 'chat', { message: 'hi' });
    await settledQueue(queue);
    const [job] = queue.jobs.map((each) => each.job);
    if (!job) throw new Error('There is a job.');
    queue.empty();
    await queue.add({ ...job, agent: 'support' }, 0);
    await start('worker', CREDENTIALS, {}, [support]);
    while (queue.jobs.length > 0) await delay(5);
    expect(calls).toEqual([]);
    await queue.add(job, 0);
    expect(await (await answered).json()).toMatchObject({ status: 'completed' });
  });

  it('not if the user was locked out meanwhile, and says so in the log, without secrets', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    const web = await start('web');
    const answered = post(web, 'chat', { message: 'hi' });
    await settledQueue(queue);
    users.delete('alice');
    await start('worker');
    const answer = await answered;
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ code: 'credentials_refused' });
    expect(calls).toEqual([]);
    const log = warn.mock.calls.flat().join('\n');
    expect(log).toMatch(/Run run_[\w-]+ was refused: the guards/);
    expect(log).not.toMatch(/Bearer|claim of/);
    expect(await store.queuedRuns?.({ limit: 1 })).toEqual([]);
  });

  it('not with a credential of another user, an expired one, or one that lives too long', async () => {
    const good = CREDENTIALS.redeem;
    const expiring =
      (ms: number): RunCredentials['redeem'] =>
      (claim, run) => ({
        ...(good(claim, run) as Awaited<ReturnType<typeof good>>),
        expiresAt: new Date(Date.now() + ms),
      });
    let redeem: RunCredentials['redeem'] = () => good('claim of bob', {} as never);
    const credentials = {
      ...CREDENTIALS,
      redeem: (...of: Parameters<typeof good>) => redeem(...of),
    };
    const web = await start('web');
    await start('worker', credentials);
    for (const next of [redeem, expiring(-1), expiring(3_600_000), expiring(NaN)]) {
      redeem = next;
      const answer = await post(web, 'chat', { message: 'hi' });
      expect(await answer.json()).toMatchObject({ code: 'credentials_refused' });
    }
    expect(calls).toEqual([]);
  });

  it('not with a claim that was swapped, changed or left out', async () => {
    const web = await start('web');
    const answers = [
      post(web, 'chat', { message: 'hi' }),
      post(web, 'chat', { message: 'hi' }, 'bob'),
      post(web, 'chat', { message: 'hi' }),
    ];
    await settledQueue(queue, 3);
    const jobs = queue.jobs.map((each) => each.job);
    queue.empty();
    const [first, second, third] = jobs.map(({ sealed = '' }) => sealed);
    const [swapped, other, without] = jobs;
    if (!swapped || !other || !without) throw new Error('There are three jobs.');
    await queue.add({ ...swapped, sealed: second ?? '' }, 0);
    await queue.add({ ...other, sealed: `${third?.slice(0, -1)}A` }, 0);
    const { v, runId, sessionId, attempt } = without;
    await queue.add({ v, runId, sessionId, attempt }, 0);
    expect(first).toBeDefined();
    await start('worker');
    for (const answer of await Promise.all(answers)) {
      expect(await answer.json()).toMatchObject({ code: 'credentials_refused' });
    }
    expect(calls).toEqual([]);
  });

  it('not with the claim of an earlier stay in the queue', async () => {
    const steps: ScriptedStep[] = [{ toolCalls: [{ name: 'orders' }] }, 'Never.'];
    const asking = { model: new ScriptedModel(steps), permissions: { orders: 'ask' } } as const;
    const web = await start('web');
    const asked = post(web, 'chat', { message: 'hi' });
    await settledQueue(queue);
    const [earlier] = queue.jobs.map((each) => each.job);
    const first = await start('worker', CREDENTIALS, asking);
    const { runId, pendingActions } = (await (await asked).json()) as ChatResult;
    await first.close();
    const actions = [{ callId: pendingActions[0]?.callId, type: 'approve' }];
    const resumed = post(web, `runs/${runId}/actions`, { actions });
    await settledQueue(queue);
    const [job] = queue.jobs.map((each) => each.job);
    if (!job || !earlier?.sealed) throw new Error('There are two jobs, with a claim each.');
    expect(job).toMatchObject({ attempt: 2, runId });
    queue.empty();
    await queue.add({ ...job, sealed: earlier.sealed }, 0);
    await start('worker', CREDENTIALS, asking);
    expect(await (await resumed).json()).toMatchObject({ code: 'credentials_refused' });
    expect(calls).toEqual([]);
  });

  it('again when its credential expires', async () => {
    let redeemed = 0;
    const credentials: RunCredentials = {
      ...CREDENTIALS,
      redeem: (claim, run) => {
        redeemed += 1;
        const { headers } = CREDENTIALS.redeem(claim, run) as { headers: Record<string, string> };
        return { headers, expiresAt: new Date(Date.now() + 1_000) };
      },
    };
    const web = await start('web');
    await start('worker', credentials);
    expect((await post(web, 'chat', { message: 'hi' })).status).toBe(200);
    expect(redeemed).toBeGreaterThan(2);
    expect(calls).toEqual([`alice from ${ADDRESS}`]);
  });

  it('waits and tries again after an error that may pass', async () => {
    let failures = 2;
    const credentials: RunCredentials = {
      ...CREDENTIALS,
      redeem: (claim, run) => {
        if ((failures -= 1) >= 0) throw new Error('The token service is away.');
        return CREDENTIALS.redeem(claim, run);
      },
    };
    const web = await start('web');
    await start('worker', credentials);
    expect((await post(web, 'chat', { message: 'hi' })).status).toBe(200);
    expect(calls).toEqual([`alice from ${ADDRESS}`]);
  });

  it.each([
    ['a step', 2],
    ['its calls', 3],
  ])('and goes on later after such an error before %s: nothing is lost', async (_, failing) => {
    jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    let redeemed = 0;
    const credentials: RunCredentials = {
      ...CREDENTIALS,
      redeem: (claim, run) => {
        redeemed += 1;
        if (redeemed === failing) throw new Error('The token service is away.');
        const { headers } = CREDENTIALS.redeem(claim, run) as { headers: Record<string, string> };
        return { headers, expiresAt: new Date(Date.now() + 1_000) };
      },
    };
    const web = await start('web');
    await start('worker', credentials);
    const answer = await post(web, 'chat', { message: 'hi' });
    expect(await answer.json()).toMatchObject({ status: 'completed', message: 'You have none.' });
    expect(calls).toEqual([`alice from ${ADDRESS}`]);
    expect(queue.delivered).toHaveLength(2);
  });

  const hanging = async () => {
    const redeeming = new Barrier();
    const web = await start('web');
    const redeem = () => redeeming.pass() as Promise<never>;
    const worker = await start('worker', { ...CREDENTIALS, redeem });
    const answered = post(web, 'chat', { message: 'What did I order?' });
    await redeeming.reached;
    return { web, worker, answered };
  };

  it('and does not hold up its shutdown while redeem() hangs: another one goes on', async () => {
    const { worker, answered } = await hanging();
    await worker.close();
    await start('worker');
    expect(await (await answered).json()).toMatchObject({ status: 'completed' });
  });

  it('and can be stopped while redeem() hangs', async () => {
    const { web, answered } = await hanging();
    const { runId = '' } = queue.jobs[0]?.job ?? {};
    const stopped = await fetch(`${await web.getUrl()}/api/agent/runs/${runId}`, {
      method: 'DELETE',
      headers: { authorization: 'Bearer alice' },
    });
    expect(await stopped.json()).toMatchObject({ status: 'cancelled' });
    expect(await (await answered).json()).toMatchObject({ status: 'cancelled' });
  });

  it('is told at once of a claim that is too large, before anything is stored', async () => {
    const web = await start('web', { ...CREDENTIALS, delegate: () => 'x'.repeat(4_097) });
    const answer = await post(web, 'chat', { message: 'hi' });
    expect(answer.status).toBe(500);
    expect(await answer.json()).toMatchObject({ code: 'claim_too_large' });
    expect(await store.count()).toBe(0);
    expect(queue.jobs).toEqual([]);
  });

  it('refuses to boot without credentials, unless it is told that none are needed', async () => {
    const runs = queue.connect('web');
    Object.assign(runs, { credentials: undefined });
    const boot = start('web', 'none', { runs });
    await expect(boot).rejects.toThrow(/runs needs credentials.*orders/);
    await start('web', 'none');
  });

  it('only in its own process: requests from outside do not reach the place behind the guards', async () => {
    const web = await start('web');
    const url = await web.getUrl();
    const disguises: Record<string, string>[] = [
      {},
      { 'x-http-method-override': 'POST', 'x-original-url': '/api/agent/runs/run_x' },
      { 'x-forwarded-for': '127.0.0.1', forwarded: 'for=127.0.0.1', host: 'localhost' },
      { connection: 'close', 'x-destination': 'worker', 'x-agent-depth': '1' },
    ];
    for (const headers of disguises) {
      for (const method of ['GET', 'HEAD', 'POST']) {
        const path = `${url}/api/agent/runs/run_x${method === 'POST' ? '?_method=GET' : ''}`;
        const answer = await fetch(path, {
          method,
          headers: { authorization: 'Bearer alice', ...headers },
        });
        expect(answer.status).toBe(404);
      }
    }
    expect((await fetch(`${url}/api/agent/runs/run_x`)).status).toBe(403);
  });
});

async function settledQueue(queue: MemoryQueue, count = 1): Promise<void> {
  while (queue.jobs.length < count) await delay(5);
}

function uiMessage(): object {
  return { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'hi' }] };
}

function agUiInput(): object {
  const message = { id: 'm1', role: 'user', content: 'hi' };
  const empty = { state: {}, tools: [], context: [], forwardedProps: {} };
  return { threadId: 't1', runId: 'r1', messages: [message], ...empty };
}
