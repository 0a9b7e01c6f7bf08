import { UseGuards } from '@nestjs/common';
import type { AgentModuleOptions } from 'nestjs-agent';
import { otel } from 'nestjs-agent/otel';
import { AuthModule } from '../auth/auth.module';
import { JwtAuthGuard } from '../auth/jwt-auth.guard';
import { workerCredentials } from '../auth/worker-credentials';
import { HEADERS_KEY } from '../pages/demo-pages';
import { modelFromEnvironment } from './model-from-environment';
import { processesFromEnvironment } from './processes-from-environment';
import { storeFromEnvironment } from './store-from-environment';

const SYSTEM_PROMPT = `You are the assistant of an internal developer platform.
Answer from what the tools say, briefly, and never make up applications, workflows or numbers.
Where a tool refuses because of a missing role, say so and name the role.`;

const DAY_MS = 24 * 60 * 60_000;

export function agentOptions(): AgentModuleOptions {
  return {
    name: 'platform',
    model: modelFromEnvironment(process.env),
    systemPrompt: SYSTEM_PROMPT,
    imports: [AuthModule],
    decorators: [UseGuards(JwtAuthGuard)],
    ui: { loginUrl: '/login', headersKey: HEADERS_KEY },
    // For developers, at /agent/workbench; it is not there where NODE_ENV is production.
    workbench: { when: 'development', evals: 'apps/demo/agent.evals.json' },
    // A page that is reloaded during an answer continues where it was.
    onDisconnect: 'continue',
    // Who comes back the next day finds the conversations of the day before.
    sessions: { store: storeFromEnvironment(process.env), expireAfterMs: 30 * DAY_MS },
    // Several processes, as deploy/compose.yaml starts them; one by default.
    ...processesFromEnvironment(process.env, {
      prefix: 'demo',
      credentials: workerCredentials(process.env),
    }),
    // Without an SDK, as deploy/tracing.cjs starts one, it has no effect.
    telemetry: otel(),
  };
}
