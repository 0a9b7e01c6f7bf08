import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Options } from 'prettier';
import { formatAsBefore } from './format-as-before';
import { importAgentModule } from './import-agent-module';

const HEAD = `import { Module } from '@nestjs/common';
`;
const AGENT = `import { AgentModule } from 'nestjs-agent';\n`;

describe('importAgentModule()', () => {
  it.each([
    ['imports: [],', 'imports: [AgentModule.forRoot()],'],
    ['imports: [UsersModule],', 'imports: [AgentModule.forRoot(), UsersModule],'],
    [
      'controllers: [AppController],\n  imports: [\n    UsersModule,\n  ],',
      'controllers: [AppController],\n  imports: [\n    AgentModule.forRoot(),\n    UsersModule,\n  ],',
    ],
    [
      'controllers: [AppController],',
      'imports: [AgentModule.forRoot()],\n  controllers: [AppController],',
    ],
  ])('puts the module first: %j', (before, after) => {
    const source = (fields: string) => `\n@Module({\n  ${fields}\n})\nexport class AppModule {}\n`;

    expect(importAgentModule(HEAD + source(before))).toBe(HEAD + AGENT + source(after));
  });

  it('understands a module in one line', () => {
    const source = (modules: string) =>
      `@Module({ imports: [${modules}] })\nexport class AppModule {}\n`;

    expect(importAgentModule(HEAD + source('A'))).toBe(
      HEAD + AGENT + source('AgentModule.forRoot(), A'),
    );
  });

  it('leaves a module alone that has it', () => {
    const source = `${HEAD}${AGENT}\n@Module({ imports: [AgentModule.forRoot({})] })\nexport class AppModule {}\n`;

    expect(importAgentModule(source)).toBe(source);
  });

  it.each([
    ['no module', HEAD],
    ['two modules', `${HEAD}@Module({})\nclass A {}\n@Module({})\nexport class AppModule {}\n`],
    ['metadata from elsewhere', `${HEAD}@Module(metadata)\nexport class AppModule {}\n`],
    ['imports from elsewhere', `${HEAD}@Module({ imports: MODULES })\nexport class AppModule {}\n`],
    ['no import to stand behind', '@Module({})\nexport class AppModule {}\n'],
  ])('does not touch %s', (_, source) => {
    expect(importAgentModule(source)).toBeUndefined();
  });
});

const PRETTIER = dirname(require.resolve('prettier/package.json'));

function prettier(root: string, source: string): string {
  const args = [join(PRETTIER, 'bin/prettier.cjs'), '--stdin-filepath', join(root, 'src/a.ts')];
  return execFileSync(process.execPath, args, { cwd: root, input: source, encoding: 'utf8' });
}

describe('a root module that Prettier has formatted', () => {
  const AFTER_IMPORTS = ['@Module({', 'export class AppModule {}'];
  const STARTER = `import { Module } from '@nestjs/common';
import { AppController } from './app.controller';

@Module({
  imports: [],
  controllers: [AppController],
})
export class AppModule {}
`;
  const LONG = `import { Module } from '@nestjs/common';
import { ConfigModule } from '@nestjs/config';

@Module({
  imports: [ConfigModule.forRoot({ isGlobal: true }), ConfigModule, ConfigModule],
})
export class AppModule {}
`;
  const BARE = `import { Module } from '@nestjs/common';

@Module({})
export class AppModule {}
`;

  it.each<[string, string, Options]>([
    ["the starter's", STARTER, { singleQuote: true, trailingComma: 'all' }],
    ['a long list', LONG, { singleQuote: true, trailingComma: 'all' }],
    ['an empty one', BARE, { singleQuote: true }],
    ['tabs and double quotes', STARTER, { useTabs: true }],
    ['no semicolons', STARTER, { semi: false, singleQuote: true, trailingComma: 'none' }],
    ['a narrow page', LONG, { printWidth: 40, tabWidth: 4 }],
  ])(
    'stays so: %s',
    (_, source, config) => {
      const root = mkdtempSync(join(tmpdir(), 'nest-add-'));
      try {
        writeFileSync(join(root, '.prettierrc'), JSON.stringify(config));
        mkdirSync(join(root, 'node_modules'));
        symlinkSync(PRETTIER, join(root, 'node_modules/prettier'));
        const path = 'src/app.module.ts';
        const before = prettier(root, source);
        const after = importAgentModule(before) ?? '';
        const written = formatAsBefore({ before, after }, root, path);
        expect(written).toContain('AgentModule.forRoot()');
        for (const part of AFTER_IMPORTS) expect(written).toContain(part);
        expect(prettier(root, written)).toBe(written);
      } finally {
        rmSync(root, { recursive: true });
      }
    },
    60_000,
  );

  it('is left in its own style where Prettier had not formatted it', () => {
    const before = STARTER.replace('imports: [],', 'imports  :  [],');
    const change = { before, after: `${before}// more\n` };
    expect(formatAsBefore(change, process.cwd(), 'src/app.module.ts')).toBe(change.after);
    expect(formatAsBefore(change, tmpdir(), 'src/app.module.ts')).toBe(change.after);
  });

  it('keeps quotes, semicolons and tabs also without Prettier', () => {
    const source = `import { Module } from "@nestjs/common"\n\n@Module({\n\timports: [\n\t\tA,\n\t],\n})\nexport class AppModule {}\n`;
    expect(importAgentModule(source)).toBe(
      `import { Module } from "@nestjs/common"\nimport { AgentModule } from "nestjs-agent"\n\n@Module({\n\timports: [\n\t\tAgentModule.forRoot(),\n\t\tA,\n\t],\n})\nexport class AppModule {}\n`,
    );
  });
});
