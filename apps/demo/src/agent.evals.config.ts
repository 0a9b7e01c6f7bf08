import { Test } from '@nestjs/testing';
import { memoryStore, SESSION_STORE } from 'nestjs-agent';
import type { EvalConfig, EvaluatedApplication } from 'nestjs-agent/evals';
import type { AccessToken } from './auth/access-token';
import { AppModule } from './app.module';
import { DEMO_USERS } from './auth/users.seed';

/** Logs in as any client does. */
async function login(username: string, { url }: EvaluatedApplication) {
  const password = DEMO_USERS.find(({ id }) => id === username)?.password;
  const response = await fetch(`${url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  });
  const { access_token: token } = (await response.json()) as AccessToken;
  return { authorization: `Bearer ${token}` };
}

const config: EvalConfig = {
  /** The demo as it is, but for the conversations: those of an evaluation are not kept. */
  async app() {
    const module = await Test.createTestingModule({ imports: [AppModule] })
      .overrideProvider(SESSION_STORE)
      .useValue(memoryStore())
      .compile();
    return module.createNestApplication({ logger: ['error'] });
  },
  callers: {
    alice: (target) => login('alice', target),
    bob: (target) => login('bob', target),
  },
};

export default config;
