import { AgentModule } from 'nestjs-agent';
import { type OtelOptions } from 'nestjs-agent/otel';
import { type RedisBusOptions } from 'nestjs-agent/redis';
import { McpServerModule, type McpServerModuleOptions } from 'nestjs-agent/mcp';
import { AGENT_CHECKS, STATIC_CHECKS } from '../../../libs/agent/src/options/check/option-table';
import { GuideApp } from '../../../test/support/guide-app';
import { guideRows, guideText } from '../../../test/support/guide-text';
import { AppModule } from './app.module';
import { ClerkModule } from './class.module';

function thrownBy(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  throw new Error('Nothing was thrown.');
}

const MCP_SERVER = 'The MCP server';

const MCP_SERVER_OPTIONS = {
  agent: true,
  path: true,
  imports: true,
  decorators: true,
  name: true,
  version: true,
  instructions: true,
  tools: true,
  approvals: true,
  auth: true,
  allowedOrigins: true,
  listChanged: true,
  secret: true,
  pageSize: true,
  ttlMs: true,
  limits: true,
} satisfies Record<keyof McpServerModuleOptions, true>;

const OTEL = 'OpenTelemetry';

const OTEL_OPTIONS = {
  captureContent: true,
  redact: true,
  maxContentChars: true,
  semconv: true,
  principal: true,
  metrics: true,
  tracerProvider: true,
  meterProvider: true,
} satisfies Record<keyof OtelOptions, true>;

const REDIS_BUS = 'The Redis bus';

const REDIS_BUS_OPTIONS = {
  url: true,
  client: true,
  prefix: true,
  retainMs: true,
  flushMs: true,
} satisfies Record<keyof RedisBusOptions, true>;

/** The names in the first cells of the tables. */
function optionsIn(isRead: (heading: string) => boolean): readonly string[] {
  return guideRows('options', isRead)
    .flatMap(([cell = '']) => cell.split(', '))
    .map((name) => name.replaceAll('`', ''))
    .filter((name) => /^[a-z]/.test(name) && name !== 'option')
    .toSorted();
}

/** The options of each option, `{ option: 'a, b' }`, as braces in the tables have them. */
function nestedIn(isRead: (heading: string) => boolean): Readonly<Record<string, string>> {
  const rows = guideRows('options', isRead).flatMap(([option = '', meaning = '']) => {
    const [, names] = /\{ ([\w, ]+) \}/.exec(meaning) ?? [];
    return names === undefined || names === 'name, as, description' ? [] : [[option, names]];
  });
  return Object.fromEntries(rows) as Record<string, string>;
}

/** The same options, taken from the error about an unknown one. */
function nestedOf(options: readonly string[], boot: (options: object) => unknown) {
  const found = options.flatMap((option) => {
    const refused = thrownBy(() => boot({ [option]: { '?': true } }));
    const [, names] = /is no option; there are ([\w, ]+)[.;]/.exec(refused) ?? [];
    return names === undefined ? [] : [[option, names]];
  });
  return Object.fromEntries(found) as Record<string, string>;
}

describe('the page of options', () => {
  it('has each option once, and no other', () => {
    const options = [...Object.keys(STATIC_CHECKS), ...Object.keys(AGENT_CHECKS)];
    const isOfAgent = (heading: string) => ![MCP_SERVER, OTEL, REDIS_BUS].includes(heading);
    expect(optionsIn(isOfAgent)).toEqual(options.toSorted());
    expect(nestedIn(isOfAgent)).toEqual(nestedOf(options, (wrong) => AgentModule.forRoot(wrong)));
  });

  it('has each option of the MCP server once, and no other', () => {
    const options = Object.keys(MCP_SERVER_OPTIONS).toSorted();
    expect(optionsIn((heading) => heading === MCP_SERVER)).toEqual(options);
    const values = Object.fromEntries(options.map((option) => [option, Symbol('wrong')]));
    const refused = thrownBy(() => McpServerModule.forRoot(values));
    for (const option of options) expect(refused).toContain(`options.${option} must be`);
    expect(nestedIn((heading) => heading === MCP_SERVER)).toEqual(
      nestedOf(options, (wrong) => McpServerModule.forRoot(wrong)),
    );
  });

  it('has each option of otel() once, and no other', () => {
    const options = Object.keys(OTEL_OPTIONS).toSorted();
    expect(optionsIn((heading) => heading === OTEL)).toEqual(options);
  });

  it('has each option of redisBus() once, and no other', () => {
    const options = Object.keys(REDIS_BUS_OPTIONS).toSorted();
    expect(optionsIn((heading) => heading === REDIS_BUS)).toEqual(options);
  });

  it('quotes what stops the boot', () => {
    const wrong = { maxSteps: 0, limits: { messageChars: '9' } } as object;
    expect(guideText('options')).toContain(thrownBy(() => AgentModule.forRoot(wrong)));
  });

  it('shows an application that takes options from a provider', async () => {
    const app = await GuideApp.start(AppModule);
    app.model.push('Hello.');
    const { body } = await app.post('/assistant/chat', { message: 'Hi' });
    await app.close();
    expect(body).toMatchObject({ status: 'completed' });
    expect(app.model.requests[0]?.system).toContain('You help ada with orders at Lamps & Co.');
  });

  it('shows a class that makes them', async () => {
    const app = await GuideApp.start(ClerkModule);
    app.model.push('Hello.');
    const { status } = await app.post('/agent/chat', { message: 'Hi' });
    await app.close();
    expect(status).toBe(200);
    expect(app.model.requests[0]?.system).toContain('You work at Lamps & Co.');
  });
});
