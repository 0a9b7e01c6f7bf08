import { importAgentModule } from './import-agent-module';

const HEAD = `import { Module } from '@nestjs/common';
import {
  AppController,
} from './app.controller';
`;
const AGENT = `import { AgentModule } from 'nestjs-agent';\n`;

describe('importAgentModule()', () => {
  it.each([
    ['imports: [],', 'imports: [AgentModule.forRoot()],'],
    ['imports: [UsersModule],', 'imports: [AgentModule.forRoot(), UsersModule],'],
    [
      'controllers: [AppController],\n  imports: [\n    UsersModule,\n  ],',
      'controllers: [AppController],\n  imports: [AgentModule.forRoot(), UsersModule,\n  ],',
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
