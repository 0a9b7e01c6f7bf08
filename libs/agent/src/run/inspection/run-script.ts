import { type JsonObject, type JsonValue, resultText, textOf } from '../../message';
import { MASK } from '../../schema';
import { codeOf } from './code-text';
import type { RunTimeline, TimelineItem } from './timeline';

type Item<Type extends TimelineItem['type']> = Extract<TimelineItem, { type: Type }>;

/**
 * A run as a test: a script for `ScriptedModel`, the same message and answers, and the expected
 * result. It runs in an application whose module is `./app.module`.
 *
 * @param principal the run's owner
 */
export function testOf(run: RunTimeline, principal: string | undefined): string {
  const said = itemsOf(run, 'said').map(({ text }) => text);
  const answers = answersOf(run);
  const frontend = frontendToolsOf(run);
  const failure = run.status === 'failed' && run.failure ? run.failure : undefined;
  const names = ['AGENT_MODEL', 'AgentService', ...(failure ? ['ModelError'] : [])];
  const chat = {
    message: said.join('\n'),
    ...(run.model !== undefined && { model: run.model }),
    ...(frontend.length > 0 && { frontendTools: frontend }),
  };
  const steps = [
    ...itemsOf(run, 'model')
      .filter(({ finishReason }) => finishReason !== 'error')
      .map((step) => codeOf(replyOf(step, run), '    ')),
    ...(failure
      ? [`new ModelError(${codeOf(failure.code)} as never, ${codeOf(failure.message)})`]
      : []),
  ];
  return `import { Test } from '@nestjs/testing';
import { ${names.join(', ')} } from 'nestjs-agent';
import { ScriptedModel } from 'nestjs-agent/testing';
import { AppModule } from './app.module';

it(${codeOf(titleOf(said.join(' ')))}, async () => {
  const model = new ScriptedModel([
${steps.map((step) => `    ${step},\n`).join('')}  ]);
  const testing = await Test.createTestingModule({ imports: [AppModule] })
    .overrideProvider(AGENT_MODEL)
    .useValue(model)
    .compile();
  const app = await testing.createNestApplication({ logger: false }).init();
  try {
    const agent = app.get(AgentService);
${callerCode(run, principal)}    ${answers ? 'let' : 'const'} result = await agent.chat(${codeOf(chat, '    ')}, caller);
${answers ? answersCode(answers) : ''}    expect(result).toMatchObject(${codeOf(expectedOf(run), '    ')});
    model.assertComplete();
  } finally {
    await app.close();
  }
});
`;
}

function callerCode(run: RunTimeline, principal: string | undefined): string {
  const hasRoute = itemsOf(run, 'call').some(({ kind }) => kind === 'route');
  const caller = {
    ...(principal !== undefined && { principal }),
    ...(hasRoute && { request: { headers: {} } }),
  };
  const note = hasRoute
    ? '    // Guarded routes need credentials, which a run does not keep: add them to the headers.\n'
    : '';
  return `${note}    const caller = ${codeOf(caller, '    ')};\n`;
}

function answersCode(answers: JsonObject): string {
  return `    const answers: Record<string, object> = ${codeOf(answers, '    ')};
    while (result.status === 'requires_action') {
      const actions = result.pendingActions.map(({ callId }) => ({ callId, ...answers[callId] }));
      result = await agent.resolve(result.runId, actions as never, caller);
    }
`;
}

/** One model call. Keeps call ids, so that answers match them. */
function replyOf({ step, content }: Item<'model'>, run: RunTimeline): JsonValue {
  const text = textOf({ content });
  const toolCalls = itemsOf(run, 'call')
    .filter((call) => call.step === step)
    .map(({ callId, name, input }) => ({ id: callId, name, input }));
  if (toolCalls.length === 0) return text;
  return { ...(text !== '' && { text }), toolCalls };
}

/** The answers by call; missing if there are none, or if one cannot be repeated. */
function answersOf(run: RunTimeline): JsonObject | undefined {
  const given = itemsOf(run, 'call').flatMap(
    (call): (readonly [string, JsonValue | undefined])[] => {
      const wait = waitOf(call, run);
      if (call.kind === 'frontend') return [[call.callId, resultOf(call)]];
      return wait ? [[call.callId, approvalOf(wait)]] : [];
    },
  );
  if (given.length === 0 || given.some(([, answer]) => answer === undefined)) return undefined;
  return Object.fromEntries(given) as JsonObject;
}

function resultOf({ output, isError }: Item<'call'>): JsonValue | undefined {
  if (output === undefined) return undefined;
  const text = resultText(output);
  return isError === true ? { type: 'result', error: text } : { type: 'result', result: text };
}

function approvalOf({ action, answer, edited, reason }: Item<'wait'>): JsonValue | undefined {
  if (action.type !== 'approval' || action.agent !== undefined) return undefined;
  if (answer === 'approve') return { type: 'approve', ...(edited && { input: edited }) };
  return answer === 'reject' ? { type: 'reject', ...(reason && { reason }) } : undefined;
}

/** The browser's definitions are not kept, so these accept anything. */
function frontendToolsOf(run: RunTimeline): readonly JsonObject[] {
  const calls = itemsOf(run, 'call').filter(({ kind }) => kind === 'frontend');
  return [...new Set(calls.map(({ name }) => name))].map((name) => ({
    name,
    description: 'As in the run',
    input_schema: { type: 'object' },
  }));
}

/** Leaves out the results of tools: they may depend on the time and on stored data. */
function expectedOf(run: RunTimeline): JsonObject {
  const isReplayed = answersOf(run) !== undefined || itemsOf(run, 'wait').length === 0;
  if (!isReplayed) return { status: 'requires_action' };
  const { status, stopReason, message, failure } = run;
  return {
    status,
    ...(stopReason !== undefined && { stopReason }),
    ...(status === 'completed' && message !== undefined && { message }),
    ...(failure && { error: { code: failure.code } }),
    toolCalls: itemsOf(run, 'call').map((call) => {
      const { name, isError } = call;
      const input = waitOf(call, run)?.edited ?? call.input;
      return {
        name,
        ...(!JSON.stringify(input).includes(MASK) && { input }),
        ...(isError !== undefined && { isError }),
      };
    }),
  };
}

function waitOf({ callId }: Item<'call'>, run: RunTimeline): Item<'wait'> | undefined {
  return itemsOf(run, 'wait').find(({ action }) => action.callId === callId);
}

function itemsOf<Type extends TimelineItem['type']>(
  { items }: RunTimeline,
  type: Type,
): readonly Item<Type>[] {
  return items.filter((item): item is Item<Type> => item.type === type);
}

function titleOf(question: string): string {
  const words = question.replaceAll(/\s+/g, ' ').trim();
  return `answers: ${words.length > 60 ? `${words.slice(0, 59)}…` : words}`;
}
