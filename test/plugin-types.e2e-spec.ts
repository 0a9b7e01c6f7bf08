import type { Type } from '@nestjs/common';
import { InvalidArgumentsError } from 'nestjs-agent';
import type { JsonSchema } from 'nestjs-agent/types';
import { inspect } from 'node:util';
import { Project } from './plugin/project';
import { CASES } from './plugin/type-cases';
import { DECLARATIONS } from './plugin/type-declarations';
import { ToolApplication, type ToolModuleOptions } from './support/tool-application';

const NAMES = [...DECLARATIONS.matchAll(/^export (?:const enum|\w+) (\w+)/gm)].map(
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
/** By the first compiler. */
let first: ReturnType<typeof schemasOf> | undefined;
beforeAll(() => {
  const files = { 'src/declarations.ts': DECLARATIONS, 'src/type.tools.ts': TOOLS };
  project = new Project(files, { lib: ['lib.es2022.full.d.ts'] });
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

/** The compilers, and the options of an application that each of them needs. */
const COMPILERS = {
  tsc: (): ToolModuleOptions => {
    expect(project.withTsc()).toEqual([]);
    return {};
  },
  swc: (): ToolModuleOptions => {
    project.withSwc();
    return { metadata: project.metadata() };
  },
  'ts-jest': (): ToolModuleOptions => {
    project.withTsJest();
    return {};
  },
};

describe.each(Object.entries(COMPILERS))('types of parameters, by %s', (compiler, compile) => {
  let application: ToolApplication;
  beforeAll(async () => {
    const options = compile();
    const { TypeTools } = project.load<Tools>(`${compiler}/type.tools.js`);
    application = await ToolApplication.boot({ providers: [TypeTools] }, options);
  });
  afterAll(() => application.close());

  it('are as many, with the same schemas', () => {
    expect(CASES.length).toBeGreaterThanOrEqual(150);
    const schemas = schemasOf(application);
    expect(schemas).toEqual((first ??= schemas));
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
});
