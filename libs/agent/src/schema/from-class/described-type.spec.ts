import { ToolDeclarationError } from '../../tool';
import type { TypeTemplate } from '../metadata';
import { outputSchemaOf, schemaOf, sourceOfTemplate } from '..';

class Place {}

describe('a described type', () => {
  it('is the class or built-in type that TypeScript emits for it', () => {
    expect(sourceOfTemplate({ type: 'string' })).toBe(String);
    expect(sourceOfTemplate({ type: 'number' })).toBe(Number);
    expect(sourceOfTemplate({ type: 'boolean' })).toBe(Boolean);
    expect(sourceOfTemplate({ $of: Place })).toBe(Place);
    expect(sourceOfTemplate({ type: 'array', items: { $of: Place } })).toEqual([Place]);
    expect(sourceOfTemplate({ type: 'array', items: { type: 'string' } })).toEqual([String]);
  });

  it.each<TypeTemplate>([
    { $of: undefined },
    { anyOf: [{ $of: undefined }, { type: 'null' }] },
    { type: 'object', properties: { place: { $of: undefined } } },
  ])('is refused if its class is missing at run time: %j', (template) => {
    const source = sourceOfTemplate(template);
    for (const read of [schemaOf, outputSchemaOf]) {
      expect(() => read(source)).toThrow(ToolDeclarationError);
      expect(() => read(source)).toThrow(/missing at run time/);
    }
  });
});
