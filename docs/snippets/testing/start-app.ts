import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import {
  AGENT_MODEL,
  AUDIT_SINK,
  memoryStore,
  SESSION_STORE,
  type AuditRecord,
  type AuditSink,
} from 'nestjs-agent';
import { ScriptedModel } from 'nestjs-agent/testing';
import { AppModule } from './app.module';

// #region start
export interface TestApp {
  readonly app: INestApplication;
  readonly model: ScriptedModel;
  readonly audit: readonly AuditRecord[];
}

/** The real application; only its external dependencies are replaced. */
export async function startApp(): Promise<TestApp> {
  const model = new ScriptedModel([]);
  const audit: AuditRecord[] = [];
  const sink: AuditSink = { record: (record) => void audit.push(record) };
  const module = await Test.createTestingModule({ imports: [AppModule] })
    .overrideProvider(AGENT_MODEL)
    .useValue(model)
    .overrideProvider(SESSION_STORE)
    .useValue(memoryStore())
    .overrideProvider(AUDIT_SINK)
    .useValue(sink)
    .compile();
  const app = module.createNestApplication({ logger: false });
  await app.init();
  return { app, model, audit };
}
// #endregion start
