import type { Type } from '@nestjs/common';
import { InvalidArgumentsError, type JsonSchema, type PluginMetadata } from 'nestjs-agent';
import { inspect } from 'node:util';
import { Project } from './plugin/project';
import { CASES } from './plugin/type-cases';
import { DECLARATIONS } from './plugin/type-declarations';
import { ToolApplication } from './support/tool-application';

const NAMES = [...DECLARATIONS.matchAll(/export (?:const enum|\w+) (\w+)/g)].map(
  ([, name]) => name,
);
const nameOf = (index: number): string => `t${index}`;

const TOOLS = `import { Tool } from 'nestjs-agent';
import { inspect } from 'node:util';
import { ${[...NAMES, 'Flag'].filter((name, index, all) => name !== 'enum' && all.indexOf(name) === index).join(', ')} } from './declarations';
export class TypeTools {
${CASES.map(
  ({ type }, index) => `  /** Takes a value. */
  @Tool() ${nameOf(index)}(value: ${type}): string { return shown(value); }`,
).join('\n')}
}
function shown(value: unknown): string {
  return inspect(value, { depth: 9, breakLength: Infinity, compact: 9 });
}
`;

interface Tools {
  readonly TypeTools: Type<unknown>;
}

let project: Project;
beforeAll(() => {
  project = new Project({ 'src/declarations.ts': DECLARATIONS, 'src/type.tools.ts': TOOLS });
});
afterAll(() => project.remove());

function schemasOf(application: ToolApplication): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(
    CASES.map(({ type }, index) => [
      `${index} ${type}`,
      application.tool(nameOf(index)).definition.input_schema,
    ]),
  );
}

/** What the plugin says of a class, with names in place of other classes. */
function saidOf(type: unknown): string {
  const { _NESTJS_AGENT_METADATA: said } = type as { _NESTJS_AGENT_METADATA: () => unknown };
  return JSON.stringify(said(), (_, value: unknown) =>
    typeof value === 'function' ? (value as () => { readonly name: string })().name : value,
  );
}

describe('types of parameters', () => {
  let application: ToolApplication;
  beforeAll(async () => {
    expect(project.withTsc()).toEqual([]);
    const { TypeTools } = project.load<Tools>('tsc/type.tools.js');
    application = await ToolApplication.boot({ providers: [TypeTools] });
  });
  afterAll(() => application.close());

  it('are many', () => {
    expect(CASES.length).toBeGreaterThanOrEqual(150);
  });

  it.each(CASES.map((one, index) => ({ ...one, index })))(
    '$type',
    async ({ index, takes, refuses, becomes }) => {
      const name = nameOf(index);
      for (const [place, value] of takes.entries()) {
        const shown = becomes?.[place] ?? inspect(value, { depth: 9, breakLength: Infinity });
        expect(await application.call(name, { value })).toBe(shown);
      }
      for (const value of refuses)
        await expect(application.call(name, { value })).rejects.toThrow(InvalidArgumentsError);
    },
  );

  it('are the same to SWC and the generator', async () => {
    project.withSwc();
    const { TypeTools } = project.load<Tools>('swc/type.tools.js');
    const { default: metadata } = project.load<{ default: PluginMetadata }>('swc/metadata.js');
    const other = await ToolApplication.boot({ providers: [TypeTools] }, { metadata });
    expect(schemasOf(other)).toEqual(schemasOf(application));
    await other.close();
  });

  it('are the same to ts-jest', () => {
    const { TypeTools } = project.load<Tools>('tsc/type.tools.js');
    const said = project.withTsJest('type.tools', `(${saidOf.toString()})(exported.TypeTools)`);
    expect(said).toEqual(JSON.parse(saidOf(TypeTools)));
    expect(Object.keys((said as { methods: object }).methods)).toHaveLength(CASES.length);
  });
});
