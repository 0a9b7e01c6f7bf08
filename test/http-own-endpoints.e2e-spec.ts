import { Controller, Get, Injectable, Param, Post } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import {
  AgentError,
  AgentErrorFilter,
  AgentService,
  SessionNotFoundError,
  SessionService,
  SessionStoreError,
  Tool,
  ToolError,
  Toolkit,
} from 'nestjs-agent';
import request from 'supertest';
import { ADAPTERS, Closers } from './http/agent-app';

const THROWN: Readonly<Record<string, () => Error>> = {
  missing: () => new SessionNotFoundError(),
  away: () => new SessionStoreError('store_unavailable', 'db.internal is away.'),
  own: () => new AgentError('unheard_of', 'secret'),
  other: () => new Error('secret'),
};

@Controller('own')
class OwnController {
  constructor(
    private readonly agent: AgentService,
    private readonly sessions: SessionService,
  ) {}

  @Post('chat')
  chat(): Promise<unknown> {
    return this.agent.chat({ message: '' });
  }

  @Get('messages')
  messages(): Promise<unknown> {
    return this.sessions.transcript('ses_unknown', { principal: 'alice' });
  }

  @Get('throws/:what')
  throws(@Param('what') what: string): never {
    throw THROWN[what]?.() ?? new Error('nothing');
  }
}

@Toolkit({ description: 'Orders' })
@Injectable()
class OrderTools {
  @Tool({ description: 'Look an order up', readOnly: true })
  find_order(): never {
    throw new ToolError('There is no order 17.');
  }
}

describe.each(ADAPTERS)(
  'AgentErrorFilter for the own endpoints of an application on %s',
  (adapter) => {
    const apps = new Closers();
    afterEach(() => apps.close());
    const serve = () =>
      apps.open({
        adapter,
        controllers: [OwnController],
        providers: [OrderTools, { provide: APP_FILTER, useClass: AgentErrorFilter }],
      });

    it("answers the library's errors with their status and code", async () => {
      const { url } = await serve();
      const client = request(url);
      const empty = await client.post('/own/chat');
      expect(empty.body).toEqual({
        statusCode: 400,
        error: 'Bad Request',
        code: 'invalid_input',
        message: expect.stringContaining('"message"'),
      });
      for (const path of ['/own/messages', '/own/throws/missing']) {
        const { status, body } = await client.get(path);
        expect([status, body.code]).toEqual([404, 'session_not_found']);
      }
      const away = await client.get('/own/throws/away');
      expect([away.status, away.body.code]).toEqual([503, 'store_unavailable']);
      expect(away.headers['retry-after']).toBe('5');
      expect(away.text).not.toContain('db.internal');
    });

    it('tells nothing of what is not for callers, and leaves other errors to Nest', async () => {
      const { url } = await serve();
      const own = await request(url).get('/own/throws/own');
      expect(own.body).toMatchObject({ statusCode: 500, code: 'unheard_of' });
      expect(own.text).not.toContain('secret');
      const other = await request(url).get('/own/throws/other');
      expect(other.body).toEqual({ statusCode: 500, message: 'Internal server error' });
    });

    it('leaves what tools say to the model', async () => {
      const { url, model } = await serve();
      model.push({ toolCalls: [{ name: 'find_order' }] }, 'There is none.');
      const { body } = await request(url).post('/agent/chat').send({ message: 'order 17' });
      expect(body.toolCalls).toEqual([
        expect.objectContaining({ isError: true, output: expect.stringContaining('no order 17') }),
      ]);
    });
  },
);
