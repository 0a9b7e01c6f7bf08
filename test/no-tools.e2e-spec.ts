import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { AgentModule, defineTool, offline, ToolRegistry } from 'nestjs-agent';

const NO_TOOLS = expect.stringContaining('No tools were found. Put @Tool() on methods') as unknown;

/** The log of the boot of an application with some providers. */
async function bootLog(...providers: (new (...given: never[]) => object)[]) {
  const lines: unknown[] = [];
  const log = (line: unknown): void => void lines.push(line);
  const silent = (): void => undefined;
  const imports = [AgentModule.forRoot({ model: offline() })];
  const module = await Test.createTestingModule({ imports, providers }).compile();
  module.useLogger({ log, error: silent, warn: silent });
  await module.init();
  await module.close();
  return lines;
}

@Injectable()
class LateTools implements OnModuleInit {
  constructor(private readonly registry: ToolRegistry) {}

  onModuleInit(): void {
    const execute = (): string => '12:00';
    this.registry.register(defineTool({ name: 'now', description: 'The time', execute }));
  }
}

describe('an agent without tools', () => {
  it('is told of in the log', async () => {
    expect(await bootLog()).toContainEqual(NO_TOOLS);
  });

  it('is none whose application registers tools while it boots', async () => {
    expect(await bootLog(LateTools)).not.toContainEqual(NO_TOOLS);
  });
});
