import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { memoryStore, SESSION_STORE } from 'nestjs-agent';
import { AppModule } from '../../../apps/demo/src/app.module';
import { DemoClient } from './demo-client';

/** The demo in this process, on a free port, and a client of it. */
export class RunningDemo extends DemoClient {
  private constructor(
    readonly app: INestApplication,
    address: string,
  ) {
    super(address);
  }

  /** The demo's own module, or one made of its parts. Its sessions stay out of the user's folder. */
  static async start(module: unknown = AppModule): Promise<RunningDemo> {
    const testing = await Test.createTestingModule({ imports: [module as typeof AppModule] })
      .overrideProvider(SESSION_STORE)
      .useValue(memoryStore())
      .compile();
    const app = testing.createNestApplication();
    await app.listen(0, '127.0.0.1');
    return new RunningDemo(app, await app.getUrl());
  }

  close(): Promise<void> {
    return this.app.close();
  }
}
