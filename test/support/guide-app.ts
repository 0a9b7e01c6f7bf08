import type { INestApplication, Type } from '@nestjs/common';
import type { AbstractHttpAdapter } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { AGENT_MODEL, type ChatResult } from 'nestjs-agent';
import type { JsonObject } from 'nestjs-agent/types';
import { ScriptedModel, type ScriptedStep } from 'nestjs-agent/testing';
import request, { type Test as HttpTest } from 'supertest';
import { SseStream } from '../http/sse-client';

type Answered = ChatResult['toolCalls'][number];

/** The application that a guide shows, used over HTTP, with a script in its model's place. */
export class GuideApp {
  private constructor(
    readonly app: INestApplication,
    readonly model: ScriptedModel,
    readonly url: string,
  ) {}

  static async start(
    module: Type<unknown>,
    prepare: (app: INestApplication) => void = () => undefined,
    adapter: AbstractHttpAdapter = new ExpressAdapter(),
  ): Promise<GuideApp> {
    const model = new ScriptedModel([]);
    const testing = Test.createTestingModule({ imports: [module] });
    const built = await testing.overrideProvider(AGENT_MODEL).useValue(model).compile();
    const app = built.createNestApplication(adapter, { logger: false });
    prepare(app);
    await app.listen(0, '127.0.0.1');
    return new GuideApp(app, model, await app.getUrl());
  }

  get(path: string, user = 'ada'): HttpTest {
    return request(this.url).get(path).set('authorization', `Bearer ${user}`);
  }

  post(path: string, body: object, user = 'ada'): HttpTest {
    return request(this.url).post(path).set('authorization', `Bearer ${user}`).send(body);
  }

  stream(path: string, body: object, user = 'ada'): Promise<SseStream> {
    return SseStream.open(this.url + path, { headers: { authorization: `Bearer ${user}` }, body });
  }

  /** Sends a message; the model follows the steps. */
  async chat(body: JsonObject, ...steps: readonly ScriptedStep[]): Promise<ChatResult> {
    this.model.push(...steps);
    const { body: result } = await this.post('/agent/chat', { message: 'Go on', ...body });
    return result as ChatResult;
  }

  /** Has the model call one tool; resolves with the call's result. */
  async call(name: string, input: JsonObject = {}): Promise<Answered> {
    const { toolCalls } = await this.chat({}, { toolCalls: [{ name, input }] }, 'Done.');
    const [call] = toolCalls;
    if (call === undefined) throw new Error(`"${name}" was not called.`);
    return call;
  }

  close(): Promise<void> {
    return this.app.close();
  }
}

/** The message of the error that a module throws at boot. */
export async function bootError(module: Type<unknown>): Promise<string> {
  try {
    await (await GuideApp.start(module)).close();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  throw new Error(`${module.name} started.`);
}
