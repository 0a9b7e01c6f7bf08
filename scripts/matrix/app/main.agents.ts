import { deepEqual, equal } from 'node:assert/strict';
import { Injectable, Module, UseGuards } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Agent, hostedMcpTool, OpenAIProvider, Runner } from '@openai/agents';
import { AgentModule, Tool, Toolkit, ToolParam } from 'nestjs-agent';
import { ScriptedModel } from 'nestjs-agent/testing';
import { AdderTools } from './adder.tools.js';
import { TokenGuard } from './token.guard.js';

const removed: string[] = [];

@Toolkit({ description: 'Files' })
@Injectable()
class FileTools {
  @Tool({ description: 'Remove a file', destructive: true })
  remove_file(@ToolParam('name') name: string): string {
    removed.push(name);
    return `removed ${name}`;
  }
}

const model = new ScriptedModel([
  { text: 'Let me add.', toolCalls: [{ name: 'add', input: { a: 2, b: 40 } }] },
  { text: ['It is ', '42.'] },
  { toolCalls: [{ name: 'remove_file', input: { name: 'a.txt' } }] },
  'It is gone.',
]);

@Module({
  imports: [AgentModule.forRoot({ model, name: 'shop', decorators: [UseGuards(TokenGuard)] })],
  providers: [AdderTools, FileTools],
})
class AppModule {}

/** OpenAI's Agents SDK as client of a served agent, whose tools come from a hosted MCP server. */
async function converse(url: string): Promise<void> {
  const modelProvider = new OpenAIProvider({ baseURL: `${url}/agent/v1`, apiKey: 'ada' });
  const runner = new Runner({ modelProvider, tracingDisabled: true });
  const tools = [hostedMcpTool({ serverLabel: 'shop', requireApproval: 'always' })];
  const agent = new Agent({ name: 'Front', instructions: 'Be brief.', model: 'shop', tools });

  const streamed = await runner.run(agent, 'What is 2 and 40?', { stream: true });
  let text = '';
  for await (const piece of streamed.toTextStream()) text += piece;
  await streamed.completed;
  equal(text, 'Let me add.It is 42.');
  deepEqual(
    streamed.newItems.map(({ type }) => type),
    ['message_output_item', 'tool_call_item', 'message_output_item'],
  );

  const first = streamed.lastResponseId ?? '';
  const asked = await runner.run(agent, 'Remove a.txt.', { previousResponseId: first });
  const [interruption] = asked.interruptions;
  equal(asked.interruptions.length, 1);
  deepEqual(removed, []);
  if (interruption) asked.state.approve(interruption);
  const previousResponseId = asked.lastResponseId ?? '';
  const done = await runner.run(agent, asked.state, { previousResponseId });
  deepEqual([done.finalOutput, removed], ['It is gone.', ['a.txt']]);
  model.assertComplete();
}

async function main(): Promise<void> {
  const app = await NestFactory.create(AppModule, { logger: ['error', 'fatal'] });
  try {
    await app.listen(0, '127.0.0.1');
    await converse(await app.getUrl());
  } finally {
    await app.close();
  }
}

void main();
