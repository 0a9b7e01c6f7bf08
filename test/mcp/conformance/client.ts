// The client that the conformance suite of MCP runs. An agent takes the tools of the suite's server
// and calls them, as the scenario says or each once with example arguments:
//   node --require test/support/typescript-hook.cjs test/mcp/conformance/client.ts <url>
import 'reflect-metadata';
import { Module, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AgentModule, AgentService, ToolCallFactory } from 'nestjs-agent';
import type { JsonObject } from 'nestjs-agent/types';
import { McpClientModule } from 'nestjs-agent/mcp';
import { ScriptedModel } from 'nestjs-agent/testing';

interface PlannedCall {
  readonly name: string;
  readonly arguments: JsonObject;
}

@Module({
  imports: [
    AgentModule.forRoot({
      model: new ScriptedModel([]),
      path: false,
      audit: { record: () => undefined },
    }),
    McpClientModule.forRoot({
      servers: {
        suite: { url: process.argv[2] ?? '', prefix: '', permission: 'allow', required: true },
      },
    }),
  ],
})
class ConformanceClientModule {}

async function main(): Promise<void> {
  const app = await NestFactory.createApplicationContext(ConformanceClientModule, {
    logger: ['warn', 'error', 'fatal'],
    abortOnError: false,
  });
  try {
    const calls = app.get(ToolCallFactory);
    for (const call of callsOfScenario() ?? (await callsOfAllTools(app))) {
      const { response } = await calls.create(call.name, call.arguments);
      if (response.status === 'pending') await response.execute();
      if (response.status !== 'executed') {
        throw new Error(`${call.name}: ${response.error?.message ?? response.status}`);
      }
    }
  } finally {
    await app.close();
  }
}

/** The calls that the scenario names, if any. */
function callsOfScenario(): readonly PlannedCall[] | undefined {
  const context = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as {
    readonly toolCalls?: readonly PlannedCall[];
  };
  return context.toolCalls;
}

async function callsOfAllTools(app: INestApplicationContext): Promise<readonly PlannedCall[]> {
  const agent = app.get(AgentService);
  const tools = (await agent.tools()).filter(({ kind }) => kind === 'mcp');
  return Promise.all(
    tools.map(async ({ name }) => {
      const { requestExample } = await agent.tool(name);
      return { name, arguments: requestExample as JsonObject };
    }),
  );
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
