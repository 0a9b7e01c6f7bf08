import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { AGENT_MODEL, offline, type ChatResult } from 'nestjs-agent';
import request from 'supertest';
import type { App } from 'supertest/types';
import { AppModule } from './support/demo/readme-example';

// That the README shows this code, word for word, is for `npm run docs:check` to say.
describe("the README's example", () => {
  let app: INestApplication<App>;
  beforeAll(async () => {
    const testing = await Test.createTestingModule({ imports: [AppModule] })
      .overrideProvider(AGENT_MODEL)
      .useValue(offline())
      .compile();
    app = testing.createNestApplication();
    await app.init();
  });
  afterAll(() => app.close());

  it('answers with the route and the provider tool, as the user who is logged in', async () => {
    const login = await request(app.getHttpServer())
      .post('/auth/login')
      .send({ username: 'alice', password: 'alice-secret' });
    const { access_token: token } = login.body as { access_token: string };
    const chat = async (message: string) => {
      const { body } = await request(app.getHttpServer())
        .post('/agent/chat')
        .auth(token, { type: 'bearer' })
        .send({ message });
      return body as ChatResult;
    };

    expect(await chat('where is my order 17?')).toMatchObject({
      toolCalls: [{ name: 'get_order', input: { id: 17 }, isError: false }],
      message: expect.stringContaining('on its way'),
    });
    expect(await chat('look up order 18')).toMatchObject({
      toolCalls: [{ name: 'get_order', input: { id: 18 }, isError: true }],
    });
    expect(await chat('add 2 and 40')).toMatchObject({
      toolCalls: [{ name: 'add', isError: false }],
      message: expect.stringContaining('42'),
    });
  });
});
