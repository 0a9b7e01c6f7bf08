import { deepEqual, equal, match } from 'node:assert/strict';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { Module, type DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AgentModule, AgentService } from 'nestjs-agent';
import { aiSdk, type AiSdkLanguageModel } from 'nestjs-agent/ai-sdk';
import { chat } from './ai7.chat.js';
import { ANTHROPIC, GOOGLE, OPENAI, serve, type Answers } from './ai7.services.js';
import { AdderTools } from './adder.tools.js';

interface Provider {
  readonly answers: Answers;
  readonly model: (baseURL: string) => AiSdkLanguageModel;
  /** The part of its first answer that must be sent back. */
  readonly wantsBack: RegExp;
  readonly reasoningTokens: number;
}

const apiKey = 'none';
const PROVIDERS: Readonly<Record<string, Provider>> = {
  openai: {
    answers: OPENAI,
    model: (baseURL) => createOpenAI({ apiKey, baseURL })('gpt-5.4'),
    wantsBack: /"call_id":"call_1"|"item_reference"/,
    reasoningTokens: 4,
  },
  anthropic: {
    answers: ANTHROPIC,
    model: (baseURL) => createAnthropic({ apiKey, baseURL })('claude-sonnet-5-5'),
    wantsBack: /"tool_use_id":"toolu_1"/,
    reasoningTokens: 0,
  },
  google: {
    answers: GOOGLE,
    model: (baseURL) => createGoogleGenerativeAI({ apiKey, baseURL })('gemini-3-pro'),
    wantsBack: /"thoughtSignature":"c2lnbmVk"/,
    reasoningTokens: 4,
  },
};

@Module({})
class AppModule {
  static with(model: AiSdkLanguageModel): DynamicModule {
    return {
      module: AppModule,
      imports: [AgentModule.forRoot({ model: aiSdk(model) })],
      providers: [AdderTools],
    };
  }
}

/** One run through a package of the `ai` 7 line: a call of a tool, its result, and the answer. */
async function converse({ answers, model, wantsBack, reasoningTokens }: Provider): Promise<void> {
  const service = await serve(answers);
  const asked = model(service.url);
  equal(asked.specificationVersion, 'v4');
  const app = await NestFactory.createApplicationContext(AppModule.with(asked), {
    logger: ['error', 'fatal'],
  });
  try {
    const result = await app.get(AgentService).chat({ message: 'What is 2 and 40?' });
    deepEqual([result.status, result.message], ['completed', 'It is 42.']);
    deepEqual(
      result.toolCalls.map(({ name, input, output }) => [name, input, output]),
      [['add', { a: 2, b: 40 }, '42']],
    );
    deepEqual(
      { ...result.usage },
      {
        inputTokens: 40,
        outputTokens: 10,
        totalTokens: 50,
        cachedInputTokens: 16,
        cacheWriteTokens: 0,
        reasoningTokens,
      },
    );
    equal(service.asked.length, 2);
    match(service.asked[0] ?? '', /Add two whole numbers/);
    match(service.asked[1] ?? '', wantsBack);
  } finally {
    await app.close();
    service.close();
  }
}

async function main(): Promise<void> {
  for (const provider of Object.values(PROVIDERS)) await converse(provider);
  await chat();
}

void main();
