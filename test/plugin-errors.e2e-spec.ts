import { before, factory, ReadonlyVisitor } from 'nestjs-agent/plugin';
import ts from 'typescript';
import { Project } from './plugin/project';
import { ToolApplication } from './support/tool-application';

const HEAD = `import { Tool, ToolParam } from 'nestjs-agent';
import { Injectable } from '@nestjs/common';
export class Money { constructor(private readonly cents: number) {} }
export class Secret { #word = 'a'; get length() { return this.#word.length; } }
export class Account { protected balance = 0; owner = '' }
export class Tenant { constructor(readonly name: string) {} }
@Injectable() export class Service { constructor(private readonly money: Money) {} }
class Empty {}
class Tags extends Array<string> {}
enum Length { None = 0, Word = 'word'.length } interface Proto { ['__proto__']: string; a: string }
interface Loose { name: string; extra: any }
interface Deep { list: { run: () => void }[] }
`;

const sourceOf = (parameter: string, more = '') => `${HEAD}export class BadTools {
  /** Does. */
  @Tool()
  act(
    fine: string,
    ${parameter}
  ): void { void fine; }
  ${more}
}`;

function errorsOf(parameter: string, more = ''): readonly string[] {
  const project = new Project({ 'src/bad.tools.ts': sourceOf(parameter, more) });
  const errors = project.withTsc();
  project.remove();
  return errors;
}

/** A parameter, its name in the error, and the error's text. */
const UNSAYABLE: readonly (readonly [string, string, RegExp])[] = [
  ['value: any', 'value', /is of type any, which says nothing\. Write what it takes/],
  ['value: unknown', 'value', /is of type unknown, which says nothing/],
  ['value: object', 'value', /is of type object, which says nothing/],
  ['value: {}', 'value', /is of type \{\}, which says nothing/],
  ['value: never', 'value', /is of type never, which has no value/],
  ['value: undefined', 'value', /has no value but undefined/],
  ['value: symbol', 'value', /is a symbol.* Take text/],
  ['value: () => void', 'value', /is a function.* Take plain data/],
  ['value: Function', 'value', /Function, which JSON cannot carry/],
  ['value: new () => Tenant', 'value', /is a function/],
  ['value: RegExp', 'value', /RegExp, which JSON cannot carry\. Take text and build/],
  ['value: Promise<string>', 'value', /Promise.* Take the value itself/],
  ['value: Uint8Array', 'value', /Uint8Array.* Take base64 text/],
  ['value: WeakMap<object, string>', 'value', /WeakMap.* Take a Map/],
  ['value: Map<number, string>', 'value', /keys are no text\. Take an array of entries/],
  ['value: Money', 'value', /class Money, which has private state/],
  ['value: Secret', 'value', /class Secret, which has private state/],
  ['value: Account', 'value', /class Account, which has private state/],
  ['value: Money[]', 'value\\[\\]', /class Money, which has private state/],
  ['value: Loose', 'value\\.extra', /is of type any/],
  ['value: Deep', 'value\\.list\\[\\]\\.run', /is a function/],
  ['value: any[]', 'value\\[\\]', /is of type any/],
  ['value: Record<string, any>', 'value\\[\\]', /is of type any/],
  ['value?: any', 'value', /is of type any/],
  ['value: string | symbol', 'value', /is a symbol/],
  ['{ a }: { a: any }', '{ a }\\.a', /is of type any/],
  ['{ a }: { a: string }', '{ a }', /has no name\. Name the parameter/],
  ['...value: string[]', 'value', /is a rest parameter\. Take an array/],
  ['value: 1n | 2n', 'value', /is a bigint literal.* Take bigint/],
  ['value: Map<string | number, string>', 'value', /keys are no text\. Take an array of entries/],
  ['value: Map<Date, string>', 'value', /keys are no text\. Take an array of entries/],
  ['value: Map<bigint, string>', 'value', /keys are no text\. Take an array of entries/],
  ['value: [...number[], string]', 'value', /after its rest.* Put the rest last/],
  [
    'value: { [key: string]: 1 | 2; [key: `n-${string}`]: 1 }',
    'value',
    /several index signatures.* Write one/,
  ],
  ['value: { [key: symbol]: string }', 'value', /says nothing\. Write what it takes/],
  ['value: Length', 'value', /enum whose member Word has a computed value\. Give it a constant/],
  ['value: Length.Word', 'value', /enum whose member Word has a computed value/],
  ['value: Proto', 'value', /must not use\. Name the property otherwise/],
  ['value: Empty', 'value', /class Empty, which has no properties.* Give it public properties/],
  ['value: Tags', 'value', /class Tags, which extends Array\. Take an interface/],
];

describe('types that cannot be said', () => {
  // Compiled together: a file takes a few milliseconds, and a program a quarter of a second.
  const pathOf = (index: number) => `src/bad-${index}.ts`;
  let errors: readonly string[];
  beforeAll(() => {
    const files = UNSAYABLE.map(([parameter], index) => [pathOf(index), sourceOf(parameter)]);
    const project = new Project(Object.fromEntries(files) as Record<string, string>);
    errors = project.withTsc();
    project.remove();
  });

  it.each(UNSAYABLE.map((row, index) => [...row, pathOf(index)] as const))(
    '%s is an error at its place',
    (_, place, message, path) => {
      const own = errors.filter((error) => error.startsWith(`${path}(`));
      expect(own).toHaveLength(1);
      expect(own[0]).toMatch(/^\S+\(18,5\): error TS\d+: BadTools\.act: /);
      expect(own[0]).toMatch(new RegExp(`parameter "${place}" `));
      expect(own[0]).toMatch(message);
    },
  );

  it('are all errors there are', () => {
    expect(errors).toHaveLength(UNSAYABLE.length);
  });

  it.each([
    ['of a decorated parameter', "@ToolParam({ schema: { type: 'object' } }) value: any"],
    ['of a provider', 'service: Service'],
    ['of an abort signal', 'signal: AbortSignal'],
  ])('are no error %s', (_, parameter) => {
    const stub = 'declare interface AbortSignal { readonly aborted: boolean }';
    const project = new Project({
      'src/signal.d.ts': stub,
      'src/fine.tools.ts': `${HEAD}export class FineTools {
  /** Does. */ @Tool() act(${parameter}): void {}
}`,
    });
    expect(project.withTsc()).toEqual([]);
    project.remove();
  });

  it('are named on one line, whatever the code around them', () => {
    const [error] = errorsOf(`{
      /** Any. */ a, // the first
      b: { c } = { c: 'd' }
    }: { a: any; b?: { c: string } }`);
    expect(error).toMatch(/parameter "\{ a, b: \{ c \} = \{ c: 'd' \} \}\.a" is of type any/);
  });

  it('are the names of a type parameter, unless they are taken as text', () => {
    const project = new Project({
      'src/crud.tools.ts': `import { Tool } from 'nestjs-agent';
export class CrudTools<T extends { id: string }> {
  /** Does. */ @Tool() first(key: keyof T): void {}
  /** Does. */ @Tool() then(key: keyof T & string, other: string & keyof T): void {}
}`,
    });
    expect(project.withTsc()).toEqual([
      expect.stringMatching(
        /CrudTools\.first: parameter "key" is of type keyof T, which may be a symbol\. Take keyof T & string\.$/,
      ),
    ]);
    project.remove();
  });

  it('are no error of what is not a tool', () => {
    expect(errorsOf('value: string', 'other(callback: () => any): void { callback(); }')).toEqual(
      [],
    );
  });

  it('are no error of a class that the options call context', () => {
    const project = new Project({
      'src/fine.tools.ts': `${HEAD}export class FineTools {
  /** Does. */ @Tool() act(tenant: Tenant): void {}
}`,
    });
    expect(project.withTsc()).toHaveLength(1);
    expect(project.withTsc([(program) => before({ context: ['Tenant'] }, program)])).toEqual([]);
    project.remove();
  });
});

/** What the generator writes to `stderr`, with the exit code that it leaves. */
function errorsOfGenerator(project: Project): { readonly text: string; readonly code: unknown } {
  let text = '';
  const write = jest.spyOn(process.stderr, 'write').mockImplementation((part) => {
    text += String(part);
    return true;
  });
  const { exitCode } = process;
  try {
    project.withSwc();
    return { text, code: process.exitCode };
  } finally {
    process.exitCode = exitCode;
    write.mockRestore();
  }
}

describe('a type that says nothing', () => {
  let project: Project;
  beforeAll(() => {
    project = new Project({
      'src/bad.tools.ts': `import { Tool } from 'nestjs-agent';
interface Deep<T> { next?: Deep<T[]> }
export class BadTools {
  @Tool() act(fine: string,
    value: object): void { void [fine, value]; }
  @Tool() of<T, U extends string>(some: T, text: U): void { void [some, text]; }
  @Tool() deep(deep: Deep<string>): void { void deep; }
}`,
    });
  });
  afterAll(() => project.remove());

  const OBJECT = 'BadTools.act: parameter "value" is of type object, which says nothing. Write';
  const GENERIC =
    'BadTools.of: parameter "some" is of the type parameter T, which is not known here';
  const DEEP = /BadTools\.deep: parameter "deep.+" is of a type that is too large or too deep/;

  it('is an error of the compiler at its line, as are others that nobody can know', () => {
    const errors = project.withTsc();
    expect(errors).toHaveLength(3);
    expect(errors[0]).toContain(`src/bad.tools.ts(5,5): error TS910047: ${OBJECT}`);
    expect(errors[1]).toContain(`src/bad.tools.ts(6,35): error TS910047: ${GENERIC}`);
    expect(errors[2]).toMatch(DEEP);
  });

  it('is an error of the generator, at the same place', () => {
    const { text, code } = errorsOfGenerator(project);
    expect(code).toBe(1);
    expect(text).toContain(`/src/bad.tools.ts:5:5 ${OBJECT}`);
    expect(text).toContain(`/src/bad.tools.ts:6:35 ${GENERIC}`);
    expect(text).toMatch(DEEP);
  });

  it('is an error of ts-jest, at the same place', () => {
    expect(() => project.withTsJest()).toThrow(`/src/bad.tools.ts:5:5 ${OBJECT}`);
  });

  it('stops the boot after a build that drops the compiler’s errors', async () => {
    project.withTsc();
    const { BadTools } = project.load<{ BadTools: new () => object }>('tsc/bad.tools.js');
    await expect(ToolApplication.boot({ providers: [BadTools] })).rejects.toThrow(
      'BadTools.act: bad.tools.ts:5: parameter "value" is of type object, which says nothing. Write',
    );
  });
});

describe('the plugin', () => {
  it('tells what is missing where it is called wrongly', () => {
    expect(() => before({}, undefined)).toThrow('must hand over a program');
    expect(() => before({ context: 'Tenant' as never }, {} as never)).toThrow(
      'option "context" must be a list of texts',
    );
    expect(() => before({ contexts: [] } as never, {} as never)).toThrow(
      'there is no option "contexts"',
    );
    expect(() => new ReadonlyVisitor({} as never)).toThrow('"pathToSource" must be a folder');
    expect(() => factory({})({} as never)({} as never)).toThrow('ts-jest must have types');
    // As ts-jest makes it of each file, for a project of Node's modules that is compiled file by file.
    const program = ts.createProgram([], { isolatedModules: true, noResolve: true });
    expect(() => factory({ program })({} as never)({} as never)).toThrow(
      'ts-jest must have types. Switch off "isolatedModules" in the tsconfig',
    );
  });

  it('tells the generator of tools that no file can import', () => {
    const project = new Project({
      'src/own.tools.ts': `import { Tool } from 'nestjs-agent';
class OwnTools { /** Adds. */ @Tool() add(a: number): number { return a; } }
export const tools = [OwnTools];`,
    });
    const { text, code } = errorsOfGenerator(project);
    expect(code).toBe(1);
    expect(text).toMatch(/own\.tools\.ts:2:7 OwnTools: it has tools and must be exported/);
    project.remove();
  });
});
