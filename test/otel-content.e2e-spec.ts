import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { Tool, ToolParam, type ChatResult } from 'nestjs-agent';
import { otel, type OtelOptions } from 'nestjs-agent/otel';
import request from 'supertest';
import { Closers } from './http/agent-app';
import { Traced } from './support/otel/traced';

const DOT =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

@Injectable()
class SecretTools {
  @Tool({ description: 'Open a door', readOnly: true })
  unlock(
    @ToolParam('door') door: string,
    @ToolParam('pin', { sensitive: true }) pin: string,
    @ToolParam('iban') iban: string,
    key: string,
  ): string {
    return `CANARY-result ${door} ${pin.length} ${iban.length} ${key.length}`;
  }
}

const STEPS = [
  {
    text: 'CANARY-answer',
    toolCalls: [
      {
        id: 'c1',
        name: 'unlock',
        input: { door: 'CANARY-door', pin: 'CANARY-pin', iban: 'CANARY-iban' },
      },
    ],
  },
  'CANARY-end',
];

/** Must never be exported, whatever is captured. */
const SECRETS = /CANARY-(?:pin|iban|preset|header|cookie)|Bearer/;

describe('content', () => {
  const apps = new Closers();
  let traced: Traced;
  const logged: string[] = [];
  beforeEach(() => {
    traced = Traced.start();
    logged.length = 0;
    const levels = ['log', 'warn', 'error', 'debug', 'verbose'] as const;
    for (const level of levels) {
      jest
        .spyOn(Logger.prototype, level)
        .mockImplementation((...words: unknown[]) => void logged.push(JSON.stringify(words)));
    }
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await apps.close();
    await traced.stop();
  });

  const run = async (options: OtelOptions, body: object = { message: 'CANARY-question' }) => {
    const { url } = await apps.open({
      telemetry: otel({ meterProvider: traced.meters, ...options }),
      systemPrompt: 'CANARY-system',
      presets: { unlock: { key: 'CANARY-preset' } },
      forwardHeaders: ['x-canary'],
      audit: { redact: ['iban'] },
      providers: [SecretTools],
      seesAll: true,
      steps: STEPS,
    });
    const { body: answer } = await request(url)
      .post('/agent/chat')
      .set({
        authorization: 'Bearer alice',
        cookie: 'sid=CANARY-cookie',
        'x-canary': 'CANARY-header',
      })
      .send(body);
    while (traced.open.size > 0) await new Promise(setImmediate);
    expect((answer as ChatResult).status).toBe('completed');
    return JSON.stringify(
      traced.spans.map(({ name, attributes, events, links, status }) => [
        ...[name, attributes, events, links, status],
      ]),
    );
  };

  it('is in no span, metric or log line by default', async () => {
    const told = await run({});
    expect(told).toContain('execute_tool unlock');
    expect(told).not.toContain('CANARY');
    const metrics = await traced.metrics();
    expect(metrics.length).toBeGreaterThan(5);
    expect(JSON.stringify(metrics)).not.toMatch(/CANARY|alice|run_|ses_/);
    expect(logged.join()).toContain('unlock');
    expect(logged.join()).not.toContain('CANARY');
  });

  it('is on spans where that is asked for, without secrets', async () => {
    const told = await run({ captureContent: 'span' });
    expect(told).not.toMatch(SECRETS);
    const [first, last] = traced.spans.filter(({ name }) => name === 'chat scripted');
    const parsed = (value: unknown) => JSON.parse(String(value)) as unknown;
    expect(parsed(first?.attributes['gen_ai.system_instructions'])).toEqual([
      { type: 'text', content: expect.stringContaining('CANARY-system') as string },
    ]);
    const masked = { door: 'CANARY-door', pin: '[redacted]', iban: '[redacted]' };
    const call = { type: 'tool_call', id: 'c1', name: 'unlock', arguments: masked };
    const answered = [{ type: 'text', content: 'CANARY-answer' }, call];
    const question = { role: 'user', parts: [{ type: 'text', content: 'CANARY-question' }] };
    expect(parsed(first?.attributes['gen_ai.output.messages'])).toEqual([
      { role: 'assistant', parts: answered, finish_reason: 'tool_use' },
    ]);
    expect(parsed(first?.attributes['gen_ai.tool.definitions'])).toContainEqual(
      expect.objectContaining({ type: 'function', name: 'unlock' }),
    );
    const response = 'CANARY-result CANARY-door 10 11 13';
    expect(parsed(last?.attributes['gen_ai.input.messages'])).toEqual([
      question,
      { role: 'assistant', parts: answered },
      { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response }] },
    ]);
    const { attributes } = traced.span('execute_tool unlock');
    expect(parsed(attributes['gen_ai.tool.call.arguments'])).toEqual(masked);
    expect(attributes['gen_ai.tool.call.result']).toBe(response);
    expect(traced.spans.flatMap(({ events }) => events).map(({ name }) => name)).toEqual([
      'first_token',
      'first_token',
    ]);
  });

  it('is in span events instead', async () => {
    const told = await run({ captureContent: 'event' });
    expect(told).not.toMatch(SECRETS);
    for (const { name, attributes, events } of traced.spans) {
      expect(JSON.stringify(attributes)).not.toContain('CANARY');
      const details = events.filter(
        (event) => event.name === 'gen_ai.client.inference.operation.details',
      );
      expect(details).toHaveLength(name === 'chat scripted' ? 1 : 0);
      for (const event of details) {
        expect(event.attributes?.['gen_ai.output.messages']).toContain('CANARY-');
      }
    }
  });

  it('can be redacted at last, and is left out where that fails', async () => {
    const places = new Set<string>();
    const told = await run({
      captureContent: 'span_and_event',
      redact: (text, where) => {
        places.add(where);
        if (where === 'tool.call.result') throw new Error('No.');
        return text.replaceAll(/CANARY/g, 'bird');
      },
    });
    expect(told).toContain('bird-question');
    expect(told).not.toContain('CANARY');
    expect(traced.span('execute_tool unlock').attributes['gen_ai.tool.call.result']).toBe(
      '[redacted]',
    );
    expect([...places].toSorted()).toEqual([
      'input.messages',
      'output.messages',
      'system_instructions',
      'tool.call.arguments',
      'tool.call.result',
      'tool.definitions',
    ]);
  });

  it('has files as their type and size, and is no longer than allowed', async () => {
    const content = [
      { type: 'text', text: `CANARY-${'long '.repeat(500)}` },
      { type: 'image', mediaType: 'image/png', data: DOT },
    ];
    const told = await run({ captureContent: 'span', maxContentChars: 400 }, { content });
    expect(told).not.toContain(DOT.slice(0, 40));
    const [first] = traced.spans.filter(({ name }) => name === 'chat scripted');
    const input = String(first?.attributes['gen_ai.input.messages']);
    expect(input.length).toBeLessThanOrEqual(400);
    expect(JSON.parse(input)).toMatchObject([
      {
        parts: [
          { type: 'text' },
          { type: 'image', mime_type: 'image/png', size: Buffer.from(DOT, 'base64').length },
        ],
      },
    ]);
  });

  it.each([
    ['none', undefined],
    ['hash', createHash('sha256').update('alice').digest('hex')],
    ['plain', 'alice'],
  ] as const)('names the user as principal: %s says', async (principal, id) => {
    await run({ principal });
    for (const { attributes } of traced.spans) expect(attributes['user.id']).toBe(id);
  });
});
