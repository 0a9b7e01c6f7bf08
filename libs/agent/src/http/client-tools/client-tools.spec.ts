import { formProblems } from '../../schema';
import type { JsonSchema } from '../../tool';
import { clientToolsOf } from './client-tools';

const schemaOf = (parameters: JsonSchema) =>
  clientToolsOf([{ name: 'go', parameters }]).definitions[0]?.input_schema;

describe('the tools of a client', () => {
  it('may have schemas of older drafts, as libraries write them', () => {
    const number = { type: 'number' };
    const schema = schemaOf({
      $schema: 'http://json-schema.org/draft-07/schema#',
      properties: {
        at: { type: 'array', items: [number, number], additionalItems: false },
        size: { type: 'number', minimum: 0, exclusiveMinimum: true },
        note: { type: 'string', nullable: true },
      },
    } as unknown as JsonSchema);

    expect(schema).toEqual({
      type: 'object',
      properties: {
        at: { type: 'array', prefixItems: [number, number], items: false },
        size: { type: 'number', exclusiveMinimum: 0 },
        note: { type: ['string', 'null'] },
      },
    });
  });

  it('are refused by their form if they are nested too deeply', () => {
    let deep: JsonSchema = {};
    for (let level = 0; level < 20_000; level += 1) deep = { not: deep };
    expect(formProblems(schemaOf(deep), 'parameters')).toEqual([
      expect.stringContaining('is nested deeper'),
    ]);
  });
});
