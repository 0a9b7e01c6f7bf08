import type { JsonSchema } from '../../tool';
import { Deliveries } from '../call/deliveries';
import { buildFrontendTool } from './frontend.invoker';

describe('a tool of the browser', () => {
  const tool = (input_schema: JsonSchema) =>
    buildFrontendTool({ name: 'nav', description: 'Goes', input_schema }, new Deliveries(), 1_000);
  const text = { type: 'string', minLength: 2 };

  it('has its arguments checked', async () => {
    const nav = tool({ type: 'object', properties: { to: text }, required: ['to'] });
    await expect(nav.bind({ to: 'x' })).rejects.toThrow(/2 characters/);
    await expect(nav.bind({})).rejects.toThrow(/to/);
    expect(await nav.bind({ to: 'home' })).toEqual({ to: 'home' });
  });

  // An expression that takes 2^40 steps on this text; the test ends only if it is never tried.
  const evil = { type: 'string', pattern: '^(a+)+$' };
  const victim = `${'a'.repeat(40)}!`;

  it.each<[string, JsonSchema, object]>([
    ['an argument', { properties: { to: evil } }, { to: victim }],
    ['an item', { properties: { to: { type: 'array', items: evil } } }, { to: [victim] }],
    [
      'a definition',
      { properties: { to: { $ref: '#/$defs/t' } }, $defs: { t: evil } },
      { to: victim },
    ],
    ['names of arguments', { properties: {}, propertyNames: evil }, { [victim]: 1 }],
    [
      'patternProperties',
      { properties: {}, patternProperties: { '^(a+)+$': {} } },
      { [victim]: 1 },
    ],
  ])('tries no regular expression of the client, be it for %s', async (_, schema, input) => {
    const bound = tool({ type: 'object', ...schema }).bind(input as Record<string, string>);
    expect(await bound).toEqual(input);
  });

  it('follows no references of the client, which may fan out for ever', async () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => {
        const next = { $ref: `#/$defs/d${index + 1}` };
        return [`d${index}`, { anyOf: [next, next] }];
      }),
    );
    const properties = { to: { $ref: '#/$defs/d0' } };
    const schema: JsonSchema = { properties, required: ['to'], $defs: { ...$defs, d40: text } };
    const nav = tool({ type: 'object', ...schema });
    expect(await nav.bind({ to: 1 })).toEqual({ to: 1 });
    await expect(nav.bind({})).rejects.toThrow(/to/);
  });

  it('compares no long list with a long list of the client', async () => {
    const items: JsonSchema = { anyOf: Array.from({ length: 2_500 }, () => ({ not: {} })) };
    const schema: JsonSchema = { properties: { to: { type: 'array', items } } };
    const input = { to: Array.from({ length: 1_900 }, () => 1) };
    expect(await tool({ type: 'object', ...schema }).bind(input)).toEqual(input);
  });

  it('still has the names and types of its arguments checked beside an expression', async () => {
    const properties = { to: evil, count: { type: 'integer' } };
    const nav = tool({ type: 'object', properties, required: ['to'], additionalProperties: false });
    await expect(nav.bind({ to: 1 })).rejects.toThrow(/to/);
    await expect(nav.bind({ count: 1 })).rejects.toThrow(/to/);
    await expect(nav.bind({ to: 'a', other: 1 })).rejects.toThrow(/other/);
  });
});
