import { appendFileSync } from 'node:fs';
import { type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  AgentModule,
  AgentService,
  defineTool,
  type SessionStore,
  ToolRegistry,
} from 'nestjs-agent';
import { ScriptedModel, type ScriptedStep } from 'nestjs-agent/testing';
import type { PointReached } from './scripted-turn';

export interface AskingOptions {
  readonly store: SessionStore;
  readonly deeds: string;
  readonly sessionId: string;
  readonly reached: PointReached;
  /** The models' answers, in a process that continues for another one; a whole turn by default. */
  readonly steps?: Readonly<Record<'asking' | 'asked', readonly ScriptedStep[]>>;
}

/** Points of a turn at which its process may die, in the order in which it passes them. */
export const ASKED_POINTS = [
  'the asked agent begins',
  'before the write',
  'after the write',
  'before the approval is stored with the agent that asked',
  'waiting for the approval',
  'before the answer is stored with the agent that asked',
  'before the approved call',
  'after the approved call',
  'the asked agent ends',
  'before the result is stored with the agent that asked',
  'the asking agent goes on',
] as const;

/** An application whose agent asks another one, which writes, and removes with an approval. */
export async function askingApplication({
  store,
  deeds,
  sessionId,
  reached,
  steps,
}: AskingOptions): Promise<{
  readonly app: INestApplicationContext;
  readonly agent: AgentService;
  readonly asking: ScriptedModel;
  readonly asked: ScriptedModel;
}> {
  const at = (point: string, then: ScriptedStep): ScriptedStep =>
    function step(request, options) {
      reached(point);
      return typeof then === 'function' ? then(request, options) : then;
    };
  const asking = new ScriptedModel(
    steps?.asking ?? [
      { toolCalls: [{ id: 'ask_1', name: 'ask_helper', input: { message: 'Tidy up' } }] },
      at('the asking agent goes on', 'All is tidy.'),
    ],
  );
  const asked = new ScriptedModel(
    steps?.asked ?? [
      at('the asked agent begins', { toolCalls: [{ id: 'write_1', name: 'write' }] }),
      { toolCalls: [{ id: 'remove_1', name: 'remove' }] },
      at('the asked agent ends', 'It is tidy.'),
    ],
  );
  @Module({
    imports: [
      AgentModule.forRoot({
        path: false,
        model: asking,
        agents: ['helper'],
        permissions: { remove: 'ask' },
        limits: { runsPerPrincipal: 1_000 },
        // Killed processes hold their sessions until their leases expire; a slow machine can pause
        // for seconds, during which a process of the test must not lose its own lease.
        sessions: {
          store: announcing(store, sessionId, reached),
          expireAfterMs: false,
          leaseMs: 15_000,
        },
        audit: { record: () => undefined },
      }),
      AgentModule.forFeature({ name: 'helper', path: false, model: asked }),
    ],
  })
  class AppModule {}
  const app = await NestFactory.createApplicationContext(AppModule, { logger: false });
  const registry = app.get(ToolRegistry);
  const deed = (name: string, before: string, after: string) =>
    defineTool({
      name,
      description: name,
      execute: () => {
        reached(before);
        appendFileSync(deeds, `${sessionId} ${name}\n`);
        reached(after);
        return `done: ${name}`;
      },
    });
  registry.register(deed('write', 'before the write', 'after the write'));
  registry.register(deed('remove', 'before the approved call', 'after the approved call'));
  return { app, agent: app.get(AgentService), asking, asked };
}

/** Reports each entry that the asking run is about to store. */
function announcing(store: SessionStore, sessionId: string, reached: PointReached): SessionStore {
  return new Proxy(store, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== 'function') return value;
      if (key !== 'append') return value.bind(target) as unknown;
      return (id: string, options: Parameters<SessionStore['append']>[1]) => {
        const types = options.entries.map(({ type }) => type);
        if (id === sessionId && types.includes('action.required')) {
          reached('before the approval is stored with the agent that asked');
        }
        if (id === sessionId && types.includes('action.answered')) {
          reached('before the answer is stored with the agent that asked');
        }
        if (id === sessionId && types.includes('call.settled')) {
          reached('before the result is stored with the agent that asked');
        }
        return target.append(id, options);
      };
    },
  });
}
