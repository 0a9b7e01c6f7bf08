import { Injectable, Module, UseGuards, VERSION_NEUTRAL } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { AGENT_OPTIONS } from '../../agent.providers';
import { MemoryQueue } from '../../run/fixtures/memory-queue';
import { memoryBus } from '../../run';
import {
  AgentModule,
  AGENT_MODEL,
  InvalidOptionsError,
  LoggerAuditSink,
  memoryStore,
  offline,
  type AgentModuleAsyncOptions,
  type AgentModuleOptions,
  type AgentOptions,
  type AgentOptionsFactory,
} from '../..';
import type { AgentModuleFeatureOptions } from '..';

class OpenGuard {
  canActivate(): boolean {
    return true;
  }
}
class Sink {
  record(): void {
    // Nothing is kept.
  }
}

@Injectable()
class Shop {
  readonly steps = 7;
}
@Module({ providers: [Shop], exports: [Shop] })
class ShopModule {}

@Injectable()
class Settings implements AgentOptionsFactory {
  constructor(private readonly shop: Shop) {}

  createAgentOptions(): AgentOptions {
    return { model: offline(), name: `agent-${this.shop.steps}` };
  }
}
@Module({ imports: [ShopModule], providers: [Settings], exports: [Settings] })
class SettingsModule {}

@Injectable()
class WrongSettings {
  createAgentOptions(): unknown {
    return { maxSteps: 0 };
  }
}

/** Every option there is, with a value that it may have. */
const WHOLE: Required<AgentModuleOptions> = {
  name: 'helper',
  description: 'Helps',
  agents: ['research', { name: 'archive', as: 'look_up', description: 'Old files' }],
  agent: true,
  workbench: { when: 'development', all: () => true, evals: 'agent.evals.json' },
  bus: memoryBus(),
  runs: new MemoryQueue().connect('both'),
  model: offline(),
  models: { other: offline() },
  systemPrompt: () => 'You help.',
  maxSteps: 8,
  maxTokens: 1_000,
  budget: {
    totalTokens: 10_000,
    toolCalls: 10,
    durationMs: Infinity,
    cost: {
      max: 1,
      prices: { offline: { input: 0, output: 0.5, cachedInput: 0, cacheWrite: 0, reasoning: 1 } },
    },
  },
  path: '/:tenant/helper/',
  version: ['1', VERSION_NEUTRAL],
  imports: [],
  decorators: [UseGuards(OpenGuard)],
  publicDecorators: [],
  principal: () => undefined,
  metadata: () => Promise.resolve({}),
  scan: { modules: [OpenGuard], classes: [Sink], exclude: [] },
  visible: ({ traits }) => traits.readOnly,
  exposeControllers: [Sink, { controller: Sink, routes: 'all' }, { controller: Sink, tools: {} }],
  tools: {
    timeoutMs: Infinity,
    retry: { maxAttempts: 1, initialBackoffMs: 0, backoffMultiplier: 1, maxBackoffMs: 0 },
    parallel: false,
    maxConcurrency: 1,
    maxResultChars: 100,
    details: 'onDemand',
    offer: 'guarded',
  },
  toolInterceptors: [{ intercept: (_call, _ctx, next) => next() }],
  permissions: { 'delete_*': 'ask', drop: () => 'deny' },
  defaultPermission: 'allow',
  presets: { search: { limit: 5, author: () => 'alice' } },
  validation: { groups: ['agent'] },
  context: [new Date()],
  groups: [{ name: 'billing', description: 'Invoices', active: false, selectable: true }],
  forwardHeaders: ['x-tenant', /^x-feature-/],
  dispatch: { baseUrl: 'http://127.0.0.1:3000' },
  sessions: {
    store: memoryStore(),
    expireAfterMs: false,
    sweepEveryMs: 1_000,
    leaseMs: 500,
    compaction: { thresholdTokens: 1_000, keepRecentTokens: 0, keepOriginals: false },
  },
  onDisconnect: { graceMs: 30_000 },
  frontendTools: { timeoutMs: 10, maxCount: 1, maxBytes: 100 },
  audit: { sink: Sink, digestKey: 'key', values: true, redact: ['iban'] },
  telemetry: { event: () => undefined },
  limits: { messageChars: 10, bodyBytes: 1_000, runsPerPrincipal: Infinity, historyMessages: 5 },
  shutdown: { drainMs: 30_000, deadlineMs: 2_000 },
  builtins: { diagnostics: true },
  ui: { loginUrl: '/login', headersKey: 'headers', script: '/chat.js', lang: 'de-CH' },
  sendReasoning: false,
  protocols: { aiSdk: true, agUi: false, openai: { responses: true, serverItems: 'hidden' } },
  isGlobal: false,
};

function refusalOf(
  options: unknown,
  make: (options: never) => unknown = (each) => AgentModule.forRoot(each),
): string {
  try {
    make(options as never);
  } catch (error) {
    if (error instanceof InvalidOptionsError) return error.message;
    throw error;
  }
  return '';
}

describe('the options of AgentModule', () => {
  it('may all be there, or none', () => {
    expect(refusalOf(WHOLE)).toBe('');
    const none = Object.fromEntries(Object.keys(WHOLE).map((key) => [key, undefined]));
    expect(refusalOf(none)).toBe('');
  });

  it.each([
    { path: false },
    { path: '' },
    { version: '2' },
    { version: VERSION_NEUTRAL },
    { dispatch: 'in-process' },
    { frontendTools: false },
    { sessions: { compaction: false, expireAfterMs: 0 } },
    { systemPrompt: '' },
    { defaultPermission: () => Promise.resolve('ask') },
    { audit: Sink },
    { audit: new LoggerAuditSink() },
  ])('may be %p', (options) => {
    expect(refusalOf(options)).toBe('');
  });

  it.each(Object.keys(WHOLE))('have nothing of a wrong kind in %s', (key) => {
    for (const value of [null, 0, Number.NaN, Symbol('x')]) {
      expect(refusalOf({ [key]: value })).toContain(`options.${key}`);
    }
  });

  it.each([
    [{ systemPromt: 'hi' }, /options\.systemPromt is no option; did you mean systemPrompt\?/],
    [{ prompt: 'hi' }, /options\.prompt is no option; did you mean systemPrompt\?/],
    [
      { maxResultChars: 100 },
      /options\.maxResultChars is no option; did you mean tools\.maxResultChars\?/,
    ],
    [{ colour: 'red' }, /options\.colour is no option; there are path, .*systemPrompt/],
    [
      { sessions: { expireAfter: 5 } },
      /options\.sessions\.expireAfter is no option; did you mean expireAfterMs\?/,
    ],
    [{ maxSteps: '5' }, /options\.maxSteps must be a whole number above 0, not a text/],
    [{ maxSteps: 1.5 }, /options\.maxSteps/],
    [{ tools: { retry: { maxAttempts: -1 } } }, /options\.tools\.retry\.maxAttempts .* not -1/],
    [{ sessions: { leaseMs: 0 } }, /options\.sessions\.leaseMs must be a number above 0, not 0/],
    [{ limits: { bodyBytes: '1mb' } }, /options\.limits\.bodyBytes/],
    [{ onDisconnect: { graceMs: 'soon' as never } }, /onDisconnect\.graceMs must be a number/],
    [{ onDisconnect: 'stop' }, /onDisconnect must be "cancel" or "continue", not "stop"/],
    [
      { model: () => offline() },
      /options\.model must be a ChatModel, such as .*, or a class of one/,
    ],
    [{ models: { fast: 'gpt' } }, /options\.models\.fast must be a ChatModel, such as openai\(/],
    [{ sessions: { store: {} } }, /options\.sessions\.store .* an object without create, find/],
    [{ decorators: [OpenGuard] }, /decorators\[0\] must be .*UseGuards.*, not a class/],
    [{ decorators: UseGuards(OpenGuard) }, /options\.decorators must be a list/],
    [{ tools: { offer: 'asked' } }, /tools\.offer must be "always" or "guarded", not "asked"/],
    [{ visible: true }, /options\.visible must be a function/],
    [
      { exposeControllers: [{ controller: Sink }] },
      /exposeControllers\[0\] must have a controller, and routes/,
    ],
    [
      { exposeControllers: [{ controller: Sink, routes: 'write' }] },
      /routes must be "read" or "all"/,
    ],
    [{ audit: { sink: {} } }, /options\.audit\.sink must be an AuditSink/],
    [{ path: 'agent?' }, /options\.path/],
    [{ path: 'a b' }, /options\.path/],
    [{ version: 1 }, /options\.version/],
    [{ version: [] }, /options\.version/],
    [{ context: ['alice'] }, /options\.context\[0\]/],
    [null, /options must be an object, not null/],
  ])('are told where they are wrong: %p', (options, message) => {
    expect(refusalOf(options)).toMatch(message);
  });

  it('are told of all at once, by no value that may be a secret', () => {
    const message = refusalOf({
      sessions: { store: 'postgres://agent:hunter2@db/agent' },
      audit: { digestKey: Buffer.from('hunter2') },
    });
    expect(message).toContain('options.sessions.store');
    expect(message).toContain('options.audit.digestKey');
    expect(message).not.toContain('hunter2');
  });

  it.each([
    { defaultPermission: 'forbid' },
    { permissions: { 'delete_*': 'denied' } },
    { permissons: { 'delete_*': 'deny' } },
  ])('allow nothing by a misspelling: %p', (options) => {
    expect(refusalOf(options)).toMatch(/"forbid"|"denied"|permissons is no option/);
  });
});

describe('the options of AgentModule.forFeature', () => {
  it.each([
    [{ evals: 'orders.evals.yaml' }, /^$/],
    [{ evals: 7 }, /options\.workbench\.evals must be/],
    // Set with forRoot.
    [{ when: 'development' }, /options\.workbench\.when is no option; there (is|are) evals/],
  ])('may name a file of cases: %p', (workbench, message) => {
    const options = { name: 'orders', workbench } as AgentModuleFeatureOptions;
    expect(refusalOf(options, (each) => AgentModule.forFeature(each))).toMatch(message);
  });
});

describe('the options of AgentModule.forRootAsync', () => {
  const boot = async (answer: unknown): Promise<unknown> => {
    const module = AgentModule.forRootAsync({ useFactory: () => answer as AgentOptions });
    const testing = await Test.createTestingModule({ imports: [module] }).compile();
    const model: unknown = testing.get(AGENT_MODEL);
    await testing.close();
    return model;
  };

  it('are those that the factory answers', async () => {
    const model = offline();
    expect(await boot({ model, maxSteps: 3 })).toBe(model);
  });

  it.each([
    [undefined, /the answer of useFactory must be an object, not undefined/],
    [{ maxSteps: 0 }, /the answer of useFactory\.maxSteps/],
    [{ decorators: [UseGuards(OpenGuard)] }, /decorators belongs beside useFactory/],
  ])('refuse the answer %p', async (answer, message) => {
    await expect(boot(answer)).rejects.toThrow(message);
  });

  it.each([
    [{}, /options needs one of useFactory, useClass and useExisting/],
    [
      { useFactory: () => ({}), useExisting: Settings },
      /options has useFactory and useExisting; keep one of them/,
    ],
    [{ useFactory: {} }, /options\.useFactory must be a function, not an object/],
    [{ useClass: () => ({}) }, /options\.useClass must be a class, not a function/],
    [{ useFactory: () => ({}), inject: 'Settings' }, /options\.inject must be a list/],
    [{ useClass: Settings, inject: [Sink] }, /options\.inject is for useFactory alone/],
    [{ usefactory: () => ({}) }, /options\.usefactory is no option; did you mean useFactory\?/],
  ])('need one source: %p', (options, message) => {
    expect(() => AgentModule.forRootAsync(options as never)).toThrow(message);
  });
});

describe('forRootAsync with a class', () => {
  const bootWith = async (options: AgentModuleAsyncOptions): Promise<TestingModule> =>
    Test.createTestingModule({ imports: [AgentModule.forRootAsync(options)] }).compile();

  it('makes one of useClass, with what it asks for from imports', async () => {
    const testing = await bootWith({ imports: [ShopModule], useClass: Settings });
    expect(testing.get<AgentOptions>(AGENT_OPTIONS).name).toBe('agent-7');
    await testing.close();
  });

  it('asks the provider that useExisting names', async () => {
    const testing = await bootWith({ imports: [SettingsModule], useExisting: Settings });
    expect(testing.get<AgentOptions>(AGENT_OPTIONS).name).toBe('agent-7');
    const ofModule = testing.select(SettingsModule).get(Settings, { strict: true });
    expect(testing.get(Settings, { each: true, strict: false })).toEqual([ofModule]);
    await testing.close();
  });

  it.each([
    [{ useClass: Sink }, /class of useClass must have a method createAgentOptions\(\), and Sink/],
    [{ useClass: WrongSettings }, /the answer of createAgentOptions\(\)\.maxSteps must be/],
  ])('is told what its class does wrong: %p', async (options, message) => {
    await expect(bootWith(options as never)).rejects.toThrow(message);
  });
});
