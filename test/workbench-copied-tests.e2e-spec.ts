import { compileFunction } from 'node:vm';
import { Controller, Get, Injectable, Module, Param, UseGuards } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import request from 'supertest';
import ts from 'typescript';
import { AgentModule, ModelError, Tool, ToolParam } from 'nestjs-agent';
import { ScriptedModel, type ScriptedStep } from 'nestjs-agent/testing';
import { BearerGuard, MathTools, PAGE_TITLE } from './http/agent-app';
import { as } from './http/every-endpoint';

const HOSTILE = '*/ `${process.exit(1)}` "quoted" \'too\'\n});\u2028 <script>';

@Injectable()
class EchoTools {
  @Tool({ description: 'Answers what it is given', readOnly: true })
  echo(@ToolParam('text') text: string): string {
    return `echo: ${text}`;
  }
}

@Controller('shelves')
class ShelvesController {
  @Tool({ name: 'read_shelf', description: 'What stands on a shelf' })
  @Get(':id')
  read(@Param('id') id: string): { id: string } {
    return { id };
  }
}

const model = new ScriptedModel([]);

@Module({
  imports: [AgentModule.forRoot({ model, workbench: true, decorators: [UseGuards(BearerGuard)] })],
  controllers: [ShelvesController],
  providers: [MathTools, EchoTools],
})
class AppModule {}

type Action = Readonly<Record<string, unknown>>;

describe('a run copied as a test', () => {
  let url = '';
  let close: () => Promise<void>;
  beforeAll(async () => {
    const testing = await Test.createTestingModule({ imports: [AppModule] }).compile();
    const app = testing.createNestApplication({ logger: false });
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();
    close = () => app.close();
  });
  afterAll(() => close());

  /** Holds a conversation and returns the source of its copied test. */
  async function copied(
    body: object,
    steps: readonly ScriptedStep[],
    ...answers: readonly Action[]
  ): Promise<string> {
    model.push(...steps);
    let { body: result } = await request(url).post('/agent/chat').set(as('alice')).send(body);
    for (const answer of answers) {
      const { callId } = result.pendingActions[0];
      ({ body: result } = await request(url)
        .post(`/agent/runs/${result.runId}/actions`)
        .set(as('alice'))
        .send({ actions: [{ callId, ...answer }] }));
    }
    model.assertComplete();
    const path = `/agent/workbench/sessions/${result.sessionId}/runs/${result.runId}/test`;
    const { body: answered } = await request(url).get(path).set(as('alice'));
    return answered.code as string;
  }

  /** Runs the source as a Jest test file beside the application's module. */
  async function run(code: string): Promise<void> {
    const { outputText, diagnostics } = ts.transpileModule(code, {
      compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
      reportDiagnostics: true,
    });
    expect(diagnostics).toEqual([]);
    const tests: (() => Promise<void>)[] = [];
    const load = (name: string): unknown =>
      name === './app.module' ? { AppModule } : jest.requireActual(name);
    const it = (_title: string, test: () => Promise<void>) => void tests.push(test);
    const file = compileFunction(outputText, ['require', 'exports', 'it', 'expect']);
    file(load, {}, it, expect);
    expect(tests).toHaveLength(1);
    await tests[0]?.();
  }

  it('runs as it is: a provider, a route, hostile texts, an approval', async () => {
    const code = await copied(
      { message: HOSTILE },
      [
        {
          text: HOSTILE,
          toolCalls: [
            { id: 'a', name: 'echo', input: { text: HOSTILE } },
            { id: 'b', name: 'read_shelf', input: { id: '7' } },
          ],
        },
        { toolCalls: [{ id: 'c', name: 'remove_file', input: { name: 'x.txt' } }] },
        HOSTILE,
      ],
      { type: 'approve', input: { name: 'y.txt' } },
    );
    expect(code).toContain(`c: { type: 'approve', input: { name: 'y.txt' } }`);
    await run(code);
  });

  it('gives the same rejection', async () => {
    await run(
      await copied(
        { message: 'remove it' },
        [{ toolCalls: [{ id: 'r', name: 'remove_file', input: { name: 'x' } }] }, 'I did not.'],
        { type: 'reject', reason: HOSTILE },
      ),
    );
  });

  it('gives the results of the browser', async () => {
    await run(
      await copied(
        { message: 'which page?', frontendTools: [PAGE_TITLE] },
        [{ toolCalls: [{ id: 'p', name: 'page_title' }] }, 'It is Home.'],
        { type: 'result', result: 'Home' },
      ),
    );
  });

  it('stops where the run waits, and fails where it failed', async () => {
    await run(
      await copied({ message: 'remove it' }, [
        { toolCalls: [{ id: 'w', name: 'remove_file', input: { name: 'x' } }] },
      ]),
    );
    await run(
      await copied({ message: 'hello' }, [new ModelError('model_rate_limited', 'Too much.')]),
    );
  });

  it('fails where the application answers otherwise', async () => {
    const code = await copied({ message: 'echo' }, [
      { toolCalls: [{ id: 'e', name: 'echo', input: { text: 'x' } }] },
      'Done.',
    ]);
    await expect(run(code.replace(`name: 'echo'`, `name: 'no_such_tool'`))).rejects.toThrow();
  });
});
