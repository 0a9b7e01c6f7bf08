import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installWith, OTHER_VERSIONS } from './support/packed-package';
import { run } from './support/program';

// As `nest new` sets them.
const COMPILER_OPTIONS = {
  module: 'nodenext',
  moduleResolution: 'nodenext',
  target: 'ES2023',
  declaration: true,
  strict: true,
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  esModuleInterop: true,
  skipLibCheck: true,
  rootDir: 'src',
  outDir: 'dist',
};

// Methods whose return types are inferred, as most are.
const CONTROLLER = `import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import {
  AgentHealth, AgentService, defineTool, memoryStore, SessionService, ToolRegistry, UsageService,
} from 'nestjs-agent';

export const greet = defineTool({
  name: 'greet',
  description: 'Greets',
  input: { type: 'object', properties: {} },
  execute: () => 'Hello',
});

@Controller('assistant')
export class AssistantController {
  private readonly store = memoryStore();

  constructor(
    private readonly agent: AgentService,
    private readonly sessions: SessionService,
    private readonly registry: ToolRegistry,
    private readonly usage: UsageService,
    private readonly health: AgentHealth,
  ) {}

  @Post()
  async ask(@Body() { message }: { message: string }) {
    const { message: text, toolCalls, error } = await this.agent.chat({ message });
    return { text, toolCalls, error };
  }

  @Get(':id')
  async history(@Param('id') id: string) {
    const transcript = await this.sessions.transcript(id);
    return transcript.flatMap(({ content }) => content);
  }

  tools() {
    return { groups: this.registry.groups(), changes: this.registry.changes };
  }

  async offered() {
    return (await this.agent.offeredTools()).map(({ traits }) => traits);
  }

  async spent(from: Date, to: Date) {
    const [total] = await this.usage.totals({ from, to, by: ['model'] });
    return total;
  }

  async lease(id: string) {
    return this.store.acquire(id, 1_000);
  }

  async ready() {
    const { status, ...parts } = await this.health.check();
    return { isUp: status === 'up', parts };
  }
}
`;

describe('an application with a compiler of its own', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await installWith(...OTHER_VERSIONS);
    await mkdir(join(folder, 'src'));
    await writeFile(join(folder, 'src/assistant.controller.ts'), CONTROLLER);
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: COMPILER_OPTIONS, include: ['src'] }),
    );
  });

  it.each(['typescript-5', 'typescript-6', 'typescript'])(
    'emits declarations of what it returns of answers, with %s',
    async (name) => {
      const compiler = join(folder, 'node_modules', name, 'bin/tsc');

      await expect(run(process.execPath, [compiler, '-p', folder], folder)).resolves.toBe('');
    },
  );

  it('may check the declarations of its libraries by the strictest options', async () => {
    const compiler = join(folder, 'node_modules/typescript-5/bin/tsc');
    const strictest = ['--noEmit', '--skipLibCheck', 'false', '--exactOptionalPropertyTypes'];

    await expect(
      run(process.execPath, [compiler, '-p', folder, ...strictest], folder),
    ).resolves.toBe('');
  });

  it('is told which TypeScript runs the plugin', async () => {
    const loading = run(process.execPath, ['-e', "require('nestjs-agent/plugin')"], folder);

    await expect(loading).rejects.toThrow(
      /nestjs-agent\/plugin runs in TypeScript 5 and 6, and the installed one is 7\.[^]*npm install --save-dev typescript@6/,
    );
  });
});
