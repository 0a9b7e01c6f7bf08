import {
  ConsoleLogger,
  Controller,
  Get,
  Injectable,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
  type LoggerService,
} from '@nestjs/common';
import request from 'supertest';
import { ModelError, Tool, Toolkit, ToolError, ToolParam } from 'nestjs-agent';
import { ADAPTERS, Closers } from './http/agent-app';
import { SseStream } from './http/sse-client';

const SECRETS = {
  token: 'planted-bearer-token',
  cookie: 'planted-cookie',
  setCookie: 'planted-set-cookie',
  preset: 'planted-preset-value',
  apiKey: 'sk-planted-api-key',
  driver: 'planted-driver-text password=hunter2',
} as const;

/** Keeps every line the application logs, of every level. */
class RecordingLogger extends ConsoleLogger implements LoggerService {
  readonly lines: string[] = [];

  protected override printMessages(messages: unknown[]): void {
    this.lines.push(...messages.map((message) => this.stringifyMessage(message, 'log')));
  }

  protected override printStackTrace(stack: string): void {
    this.lines.push(stack);
  }
}

/** Whatever the token, it is alice's. */
@Injectable()
class AliceGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    context.switchToHttp().getRequest<{ user?: object }>().user = { id: 'alice' };
    return true;
  }
}

@Toolkit({ description: 'Fails in every way' })
@Injectable()
class FailingTools {
  @Tool({ description: 'Fail as a database does', readOnly: true, retry: { maxAttempts: 1 } })
  fail(): never {
    throw Object.assign(new Error(SECRETS.driver), { detail: SECRETS.driver });
  }

  @Tool({ description: 'Fail in own words', readOnly: true, retry: { maxAttempts: 1 } })
  refuse(): never {
    throw new ToolError('There is no such thing.');
  }

  @Tool({ description: 'Use a key the model never sees', readOnly: true })
  use_key(@ToolParam('key') key: string): string {
    return key === SECRETS.preset ? 'the key fits' : 'it does not fit';
  }
}

@Controller('accounts')
class AccountsController {
  @Tool({ name: 'list_accounts', description: 'List the accounts' })
  @Get()
  list(): never {
    throw Object.assign(new Error(SECRETS.driver), { detail: SECRETS.driver });
  }
}

describe.each(ADAPTERS)('secrets on %s', (adapter) => {
  const apps = new Closers();
  afterEach(() => apps.close());

  it('stand in no answer, no event, no session and no log line', async () => {
    const logger = new RecordingLogger();
    const { url, model } = await apps.open({
      adapter,
      appOptions: { logger },
      decorators: [UseGuards(AliceGuard)],
      tools: { retry: { maxAttempts: 1 } },
      providers: [FailingTools],
      controllers: [AccountsController],
      presets: { use_key: { key: SECRETS.preset } },
    });
    const headers = {
      authorization: `Bearer ${SECRETS.token}`,
      cookie: `session=${SECRETS.cookie}`,
      'x-api-key': SECRETS.apiKey,
    };
    const seen: string[] = [];
    const note = (text: string) => {
      seen.push(text);
    };
    const calls = ['fail', 'refuse', 'use_key', 'list_accounts'].map((name) => ({ name }));
    model.push({ toolCalls: calls }, 'Done.');
    const chat = await request(url).post('/agent/chat').set(headers).send({ message: 'all' });
    expect(chat.body).toMatchObject({ status: 'completed', message: 'Done.' });
    note(chat.text);

    model.push({ toolCalls: calls }, 'Done.');
    const stream = await SseStream.open(`${url}/agent/chat/stream`, {
      headers,
      body: { message: 'all' },
    });
    await stream.all();
    note(stream.text);

    const failure = new ModelError('model_unavailable', 'The model is away.', {
      cause: Object.assign(new Error(SECRETS.apiKey), {
        headers: { authorization: `Bearer ${SECRETS.apiKey}`, 'set-cookie': SECRETS.setCookie },
      }),
    });
    for (const thrown of [
      failure,
      new Error(`${SECRETS.driver} at /srv/app/node_modules/pg.js:1`),
    ]) {
      for (const path of ['chat', 'chat/stream']) {
        model.push(thrown);
        note((await request(url).post(`/agent/${path}`).set(headers).send({ message: 'x' })).text);
      }
      model.push(thrown);
      const completion = { model: 'agent', messages: [{ role: 'user', content: 'x' }] };
      note(
        (await request(url).post('/agent/v1/chat/completions').set(headers).send(completion)).text,
      );
    }
    for (const stream of [false, true]) {
      const ask = request(url).post('/agent/v1/responses').set(headers);
      model.push({ toolCalls: calls }, failure);
      const { text } = await ask.send({ input: 'x', stream });
      note(text);
      const [id = ''] = /resp_run_[\w-]+/.exec(text) ?? [];
      note((await request(url).get(`/agent/v1/responses/${id}`).set(headers)).text);
    }
    note((await request(url).post('/agent/chat').set(headers).send({ message: 1 })).text);
    note((await request(url).get('/agent/tools/use_key').set(headers)).text);
    note((await request(url).get('/agent/sessions').set(headers)).text);
    const { sessionId, runId } = chat.body as { sessionId: string; runId: string };
    note((await request(url).get(`/agent/sessions/${sessionId}/messages`).set(headers)).text);
    note((await request(url).get(`/agent/runs/${runId}`).set(headers)).text);

    for (const text of seen) {
      for (const secret of Object.values(SECRETS)) expect(text).not.toContain(secret);
      expect(text).not.toMatch(/node_modules|\.[jt]s:\d|\n\s+at /);
    }
    const log = logger.lines.join('\n');
    expect(log).not.toBe('');
    const { driver, ...callers } = SECRETS;
    // A driver's text is for the operator's log; what callers and presets bring is for nobody.
    for (const secret of Object.values(callers)) expect(log).not.toContain(secret);
    expect(seen.join('\n')).not.toContain(driver);
  });

  it('stay out of the log where a failure nobody expected carries them along', async () => {
    const logger = new RecordingLogger();
    const { url } = await apps.open({
      adapter,
      appOptions: { logger },
      principal: () => {
        const headers = { authorization: `Bearer ${SECRETS.token}`, cookie: SECRETS.cookie };
        throw Object.assign(new Error('The directory is away.'), { config: { headers } });
      },
    });
    for (const path of ['chat', 'chat/stream', 'v1/chat/completions', 'v1/responses']) {
      const body = path.startsWith('v1')
        ? { model: 'agent', input: 'x', messages: [{ role: 'user', content: 'x' }] }
        : { message: 'x' };
      const answer = await request(url).post(`/agent/${path}`).send(body);
      expect(answer.status).toBe(500);
      expect(answer.text).not.toMatch(/planted|directory/);
    }
    const log = logger.lines.join('\n');
    expect(log).toContain('The directory is away.');
    expect(log).not.toContain('planted');
  });

  it('stay out of the log where a run fails on what an HTTP client threw', async () => {
    const logger = new RecordingLogger();
    const headers = { authorization: `Bearer ${SECRETS.apiKey}` };
    const thrown = Object.assign(new Error('The gateway is away.'), { config: { headers } });
    const { url } = await apps.open({ adapter, appOptions: { logger }, steps: [thrown] });
    const answer = await request(url).post('/agent/chat').send({ message: 'x' });
    expect(answer.body).toMatchObject({ statusCode: 500, code: 'internal_error' });
    const log = logger.lines.join('\n');
    expect(log).toContain('The gateway is away.');
    expect(log).not.toContain('planted');
  });
});
