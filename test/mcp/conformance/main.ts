// The application that the conformance suite of MCP and the Inspector call. It listens on a free
// port and prints the address of its MCP endpoint once it is up:
//   node --require test/support/typescript-hook.cjs test/mcp/conformance/main.ts fastify
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { AgentModule } from 'nestjs-agent';
import { McpServerModule } from 'nestjs-agent/mcp';
import { ScriptedModel } from 'nestjs-agent/testing';
import { ApprovalTools } from './approval.tools';
import { ContentTools } from './content.tools';
import { ProtocolTools } from './protocol.tools';
import { SamplePrompts } from './sample.prompts';
import { SampleResources } from './sample.resources';

@Module({
  imports: [
    AgentModule.forRoot({
      model: new ScriptedModel([]),
      path: false,
      audit: { record: () => undefined },
    }),
    McpServerModule.forRoot({ name: 'conformance', version: '1.0.0' }),
  ],
  providers: [ContentTools, ApprovalTools, ProtocolTools, SampleResources, SamplePrompts],
})
class ConformanceModule {}

async function main(adapter: string | undefined): Promise<void> {
  const app = await NestFactory.create(
    ConformanceModule,
    adapter === 'fastify' ? new FastifyAdapter() : new ExpressAdapter(),
    { logger: ['error', 'fatal'] },
  );
  app.enableShutdownHooks([], { useProcessExit: true });
  await app.listen(0, '127.0.0.1');
  process.stdout.write(`${await app.getUrl()}/mcp\n`);
}

void main(process.argv[2]);
