import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import * as api from '.';

describe('the public API', () => {
  it.each([
    ...['AgentModule', 'Tool', 'Toolkit', 'ToolParam', 'ToolField', 'ToolReturn'],
    ...['ToolContext', 'ToolEmitter', 'AgentRun', 'ToolError', 'ToolResult'],
    ...['ToolRegistry', 'ToolCallFactory', 'ToolLoader', 'defineTool'],
    ...['AgentService', 'SessionService', 'AGENT_MODEL', 'SESSION_STORE', 'AUDIT_SINK'],
    ...['openai', 'offline', 'fallback', 'react', 'defineModel', 'memoryStore'],
  ])('has %s', (name) => {
    expect(api).toHaveProperty(name, expect.anything());
  });

  it('has the classes of errors that public methods throw, and no others', () => {
    const errors = Object.entries(api).filter(([name]) => name.endsWith('Error'));
    const strays = errors.filter(
      ([, value]) =>
        value !== api.AgentError &&
        !((value as { readonly prototype: unknown }).prototype instanceof api.AgentError),
    );
    expect(strays).toEqual([]);
    expect(errors.map(([name]) => name)).toEqual(
      expect.arrayContaining(['ModelError', 'UnknownPrincipalError', 'InvalidOptionsError']),
    );
  });

  it.each([
    ...['SessionCompactor', 'SessionSweeper', 'TokenCounter', 'planCompaction', 'transcriptOf'],
    ...['OpenAiModel', 'OfflineModel', 'isJsonObject', 'addUsage'],
    ...['CallNotPendingError', 'QueueFullError', 'ToolTimeoutError'],
  ])('keeps %s to itself', (name) => {
    expect(api).not.toHaveProperty(name);
  });

  it('loads nothing that only some applications use', () => {
    const script = `
      require('reflect-metadata');
      const all = () => Object.keys(require.cache).map((path) => path.replaceAll('\\\\', '/'));
      for (const nest of ['@nestjs/common', '@nestjs/core', 'rxjs']) require(nest);
      const before = new Set(all());
      require('nestjs-agent');
      console.log(JSON.stringify(all().filter((path) => !before.has(path))));
    `;
    const hook = join(__dirname, '../../../test/support/typescript-hook.cjs');
    const { stdout, stderr } = spawnSync(process.execPath, ['--require', hook, '-e', script], {
      cwd: __dirname,
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    const loaded = JSON.parse(stdout) as readonly string[];
    expect(loaded.some((path) => path.endsWith('agent.module.ts'))).toBe(true);
    expect(loaded.filter((path) => ON_DEMAND.test(path))).toEqual([]);
  });
});

/** What is loaded at its first use, if ever. */
const ON_DEMAND = new RegExp(
  [
    '/node_modules/(?:@nestjs/swagger|@opentelemetry|undici|openai|@anthropic-ai|@ai-sdk|@electric-sql|kysely|pg|ioredis|bullmq)/',
    '/node_modules/(?:ajv|ajv-formats|class-validator|class-transformer|valibot)/',
    '/node_modules/(?:minisearch|gpt-tokenizer|eventsource-parser)/',
    '/src/(?:ai-sdk|anthropic|bullmq|evals|mcp|models|otel|plugin|redis|sql|testing|ui)/',
    '/src/(?:agent\\.assembly|http/(?:controllers|dto)/|options/check/)',
    '/src/model/(?:openai|offline|react)/[^/]+\\.(?:model|protocol|planner|parser)\\.ts',
  ].join('|'),
);
