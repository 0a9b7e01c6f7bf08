import type { EvalTurn, NamedCase } from '../../../../agent/src/evals/cases';
import type { ListedTool } from '../protocol';
import { filled, type Words } from '../texts';

/** The expectations of a turn, one text each. */
export function expectedOf(turn: EvalTurn, T: Words['evaluate']): readonly string[] {
  const { calls, never, answer, maxCalls, maxTokens, approvals } = turn;
  const answers = answer === undefined ? [] : [answer].flat();
  return [
    ...(calls?.length === 0 ? [T.noCalls] : []),
    ...(calls ?? []).map(({ name, input, inputIncludes, asks, fails }) =>
      [
        name,
        ...[input, inputIncludes]
          .filter((each) => each !== undefined)
          .map((each) => JSON.stringify(each)),
        ...(asks === undefined ? [] : [asks ? T.asks : T.doesNotAsk]),
        ...(fails === undefined ? [] : [fails ? T.fails : T.succeeds]),
      ].join(' '),
    ),
    ...(never ? [filled(T.never, { names: never.join(', ') })] : []),
    ...answers.map((each) =>
      filled(T.says, { text: typeof each === 'string' ? each : `/${each.$matches}/` }),
    ),
    ...(maxCalls === undefined ? [] : [filled(T.maxCalls, { calls: maxCalls })]),
    ...(maxTokens === undefined ? [] : [filled(T.maxTokens, { tokens: maxTokens })]),
    ...(approvals === 'approve' ? [T.approves] : []),
  ];
}

/** Whether a case itself approves calls that ask. */
export function approves({ turns }: NamedCase): boolean {
  return turns.some(({ approvals }) => approvals === 'approve');
}

/** The tools that may write and run without asking anybody. */
export function mayWrite(tools: readonly ListedTool[]): readonly string[] {
  return tools
    .filter(
      ({ traits, permissions }) =>
        !traits.readOnly && !permissions.some(({ level }) => level === 'ask' || level === 'deny'),
    )
    .map(({ name }) => name);
}
