import * as fc from 'fast-check';
import { type Message, textMessage } from '../../message';
import { type CompactionPlan, type CompactionQuestion, planCompaction } from './compaction';
import { histories } from '../record/fixtures/journal.arbitrary';
import { problemsOf } from '../record/fixtures/valid-history';

const questions: fc.Arbitrary<CompactionQuestion> = histories.chain((messages) =>
  fc
    .record({
      tokens: fc.array(fc.integer({ min: 1, max: 400 }), {
        minLength: messages.length,
        maxLength: messages.length,
      }),
      surroundingTokens: fc.integer({ min: 0, max: 300 }),
      // Providers count up to twice or half as many tokens.
      scale: fc.double({ min: 0.5, max: 2, noNaN: true }),
      thresholdTokens: fc.integer({ min: 100, max: 4_000 }),
      keepRecentTokens: fc.integer({ min: 0, max: 5_000 }),
    })
    .map(({ scale, ...question }) => ({
      messages,
      totalTokens: Math.round((sum(question.tokens) + question.surroundingTokens) * scale),
      ...question,
    })),
);

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function compacted(question: CompactionQuestion): Extract<CompactionPlan, { kind: 'compact' }> {
  const plan = planCompaction(question);
  if (plan.kind !== 'compact') throw new Error(`The plan is ${plan.kind}.`);
  return plan;
}

function keptOf(
  { keepFrom, keepAlso }: Extract<CompactionPlan, { kind: 'compact' }>,
  messages: readonly Message[],
): readonly Message[] {
  return messages.filter((_, index) => index >= keepFrom || index === keepAlso);
}

/** A turn: a question, some calls of 100 tokens with their results, an answer. */
function turn(name: string, calls: number): readonly Message[] {
  const steps = Array.from({ length: calls }, (_, index): readonly Message[] => [
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: `${name}-${index}`, name: 'find', input: {} }],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: `${name}-${index}`, content: 'x', is_error: false },
      ],
    },
  ]);
  return [textMessage('user', `${name}?`), ...steps.flat(), textMessage('assistant', `${name}!`)];
}

function evenly(messages: readonly Message[], thresholdTokens: number, keepRecentTokens: number) {
  const tokens = messages.map(() => 100);
  const totalTokens = sum(tokens);
  return { messages, tokens, surroundingTokens: 0, totalTokens, thresholdTokens, keepRecentTokens };
}

describe('planCompaction()', () => {
  it('keeps or summarises every message, and none twice', () => {
    fc.assert(
      fc.property(questions, (question) => {
        const plan = planCompaction(question);
        if (plan.kind !== 'compact') return;
        const both = [...plan.summarise, ...keptOf(plan, question.messages)];
        expect(new Set(both)).toEqual(new Set(question.messages));
        expect(both).toHaveLength(question.messages.length);
      }),
    );
  });

  it('never parts a call from its results', () => {
    fc.assert(
      fc.property(questions, (question) => {
        const plan = planCompaction(question);
        if (plan.kind !== 'compact') return;
        expect(problemsOf(keptOf(plan, question.messages))).toEqual([]);
        expect(problemsOf(plan.summarise)).toEqual([]);
      }),
    );
  });

  it('keeps the budget, or says why it cannot', () => {
    fc.assert(
      fc.property(questions, (question) => {
        const plan = planCompaction(question);
        const tokensOf = new Map(question.messages.map((m, index) => [m, question.tokens[index]]));
        if (plan.kind === 'unneeded') {
          expect(question.totalTokens).toBeLessThanOrEqual(question.thresholdTokens);
        } else if (plan.kind === 'impossible') {
          expect(plan.reason).toMatch(/\d+ .*\. [A-Z]/);
        } else {
          const kept = sum(
            keptOf(plan, question.messages).map((message) => tokensOf.get(message) ?? 0),
          );
          expect(plan.keptTokens).toBe(kept + question.surroundingTokens);
          const after = (plan.keptTokens + plan.summaryTokens) * plan.scale;
          expect(after).toBeLessThanOrEqual(question.thresholdTokens);
          expect(plan.summaryTokens).toBeGreaterThanOrEqual(128);
        }
      }),
    );
  });

  it('keeps the history’s order and its last message', () => {
    fc.assert(
      fc.property(questions, (question) => {
        const plan = planCompaction(question);
        if (plan.kind !== 'compact') return;
        expect(plan.keepFrom).toBeLessThan(question.messages.length);
        expect(plan.keepAlso ?? -1).toBeLessThan(plan.keepFrom);
      }),
    );
  });

  it('counts as the provider does, where that counts more than we do', () => {
    const messages = Array.from({ length: 10 }, (_, index) => turn(`${index}`, 0)).flat();
    const question = { ...evenly(messages, 9_000, 4_000), totalTokens: 20_000 };
    const plan = compacted(question);
    expect(plan.scale).toBe(10);
    expect(keptOf(plan, messages)).toHaveLength(4);
    expect(plan.summaryTokens).toBe(500);
  });

  it('keeps about as many recent tokens as it is told', () => {
    const messages = [...turn('one', 1), ...turn('two', 0), ...turn('three', 0)];
    const { summarise, keepFrom } = compacted(evenly(messages, 700, 450));
    expect(summarise).toEqual(messages.slice(0, 4));
    expect(keepFrom).toBe(4);
  });

  it('keeps the request in front where it cuts into the work on it', () => {
    const messages = [...turn('one', 0), ...turn('two', 8)];
    const plan = compacted(evenly(messages, 1_500, 450));
    const keep = keptOf(plan, messages);
    expect(keep[0]).toEqual(textMessage('user', 'two?'));
    expect(keep.slice(1)).toEqual(messages.slice(-3));
    expect(plan.summarise).toEqual([...messages.slice(0, 2), ...messages.slice(3, -3)]);
  });

  it('summarises a request that is too long to keep', () => {
    const messages = turn('one', 8);
    const tokens = messages.map((_, index) => (index === 0 ? 5_000 : 100));
    const plan = compacted({ ...evenly(messages, 1_500, 450), tokens, totalTokens: sum(tokens) });
    expect(keptOf(plan, messages)).toEqual(messages.slice(-3));
  });

  it('summarises an earlier summary along with what came after it', () => {
    const messages = [textMessage('system', 'Summary'), ...turn('one', 4), ...turn('two', 0)];
    const { summarise } = compacted(evenly(messages, 800, 200));
    expect(summarise[0]).toEqual(messages[0]);
  });

  it('does nothing below the threshold', () => {
    expect(planCompaction(evenly(turn('one', 2), 600, 100))).toEqual({ kind: 'unneeded' });
  });

  it('says that system prompt and tools are too long', () => {
    const question = {
      ...evenly(turn('one', 0), 300, 100),
      surroundingTokens: 4_800,
      totalTokens: 5_000,
    };
    expect(planCompaction(question)).toEqual({
      kind: 'impossible',
      reason:
        'System prompt and tools alone take 4800 of 300 tokens. Offer fewer tools at once, shorten the prompt or raise thresholdTokens.',
    });
  });

  it('says that the last message is too long', () => {
    const messages = turn('one', 2);
    const tokens = messages.map((_, index) => (index === messages.length - 1 ? 9_000 : 10));
    const question = { ...evenly(messages, 4_000, 1_000), tokens, totalTokens: sum(tokens) };
    expect(planCompaction(question)).toMatchObject({
      kind: 'impossible',
      reason: expect.stringContaining(
        '(messages: 1), which must stay, takes 9000 tokens',
      ) as string,
    });
  });
});
