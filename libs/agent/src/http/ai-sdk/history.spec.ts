import { validateUIMessages } from 'ai';
import type { ContentBlock, PendingAction, RunStatus } from '../../message';
import type { TranscriptMessage } from '../../session';
import { uiMessagesOf } from './history';

const LATER = '2026-01-01T01:00:00.000Z';

function said(
  role: TranscriptMessage['role'],
  content: readonly ContentBlock[],
  more: Partial<TranscriptMessage> = {},
): TranscriptMessage {
  return { id: '1.message', role, content, runId: 'run_1', ...more };
}

const call = (id: string): ContentBlock => ({
  type: 'tool_use',
  id,
  name: 'remove_file',
  input: {},
});

function waitingFor(...actions: readonly (readonly [string, PendingAction['type']])[]) {
  return actions.map(([callId, type]) => ({
    callId,
    type,
    name: 'remove_file',
    input: { shown: callId },
    expiresAt: LATER,
  }));
}

/** The messages, which `ai` 6 must accept. */
async function told(
  transcript: readonly TranscriptMessage[],
  status: RunStatus = 'completed',
  pendingActions: readonly PendingAction[] = [],
) {
  const run = { runId: 'run_1', status, pendingActions };
  const messages = uiMessagesOf(transcript, {
    thread: { sessionId: 'ses_1', run },
    sendReasoning: true,
  });
  expect(await validateUIMessages({ messages })).toEqual(messages);
  return messages;
}

describe('uiMessagesOf', () => {
  it('names the questions that the client gave no id, and keeps its own ids', async () => {
    const text = { type: 'text', text: 'hi' } as const;
    const messages = await told([
      said('system', [text], { id: 'summary', runId: undefined }),
      said('user', [text], { id: '7.message' }),
      said('user', [text], { id: 'mine', runId: 'run_2' }),
    ]);
    expect(messages.map(({ id, role }) => [id, role])).toEqual([
      ['summary', 'system'],
      ['usr_run_1', 'user'],
      ['mine', 'user'],
    ]);
  });

  it('shows all that an answer may have', async () => {
    const messages = await told([
      said('user', [
        { type: 'image', name: 'a.png', url: 'https://example.com/a.png' },
        { type: 'file', mediaType: 'text/plain', name: 'a.txt', data: 'YQ==' },
      ]),
      said('assistant', [
        { type: 'reasoning', text: '' },
        { type: 'reasoning', text: 'Hm.' },
        { type: 'provider_tool', id: 'p1', name: 'web_search', input: { q: 'x' } },
        { type: 'source', url: 'https://example.com', title: 'Example' },
        { type: 'text', text: 'Found.' },
      ]),
    ]);
    expect(messages[0]?.parts).toEqual([
      {
        type: 'file',
        mediaType: 'image/*',
        filename: 'a.png',
        url: 'https://example.com/a.png',
      },
      {
        type: 'file',
        mediaType: 'text/plain',
        filename: 'a.txt',
        url: 'data:text/plain;base64,YQ==',
      },
    ]);
    expect(messages[1]?.parts.map(({ type }) => type)).toEqual([
      'step-start',
      'reasoning',
      'tool-web_search',
      'source-url',
      'text',
    ]);
  });

  it.each([
    ['requires_action', 'approval', { state: 'approval-requested', input: { shown: 'c1' } }],
    ['requires_action', 'frontend', { state: 'input-available', input: { shown: 'c1' } }],
    ['requires_action', 'external', { state: 'input-available' }],
    ['requires_action', undefined, { state: 'approval-responded' }],
    ['running', undefined, { state: 'input-available', providerExecuted: true }],
    ['queued', undefined, { state: 'input-available', providerExecuted: true }],
    ['failed', undefined, { state: 'output-error', providerExecuted: true }],
  ] as const)(
    'shows an open call of a run that is %s and waits for %s',
    async (status, type, part) => {
      const actions = type ? waitingFor(['c1', type]) : [];
      const [message] = await told([said('assistant', [call('c1')])], status, actions);
      expect(message?.parts[1]).toMatchObject(part);
      const isClients = type === 'approval' || type === 'frontend';
      if (isClients) expect(message?.parts[1]).not.toHaveProperty('providerExecuted');
    },
  );

  it.each([
    ['ok', { state: 'output-available', output: { a: 1 } }],
    ['error', { state: 'output-error', errorText: '{"a":1}' }],
    ['expired', { state: 'output-error' }],
    ['interrupted', { state: 'output-error' }],
    ['declined', { state: 'output-denied', approval: { id: 'c1', approved: false } }],
  ] as const)('shows a call whose outcome is %s', async (outcome, part) => {
    const result = { type: 'tool_result', tool_use_id: 'c1', content: '{"a":1}' } as const;
    const messages = await told([
      said('assistant', [call('c1')]),
      said('user', [{ ...result, is_error: outcome !== 'ok' }], { outcomes: { c1: outcome } }),
      said('assistant', [{ type: 'text', text: 'So.' }]),
    ]);
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatchObject({ id: 'msg_run_1', metadata: { sessionId: 'ses_1' } });
    expect(messages[0]?.parts[1]).toMatchObject({ ...part, providerExecuted: true });
    expect(messages[0]?.parts.map(({ type }) => type)).toEqual([
      'step-start',
      'tool-remove_file',
      'step-start',
      'text',
    ]);
  });

  it.each([
    ['ok', { approved: true }, 'output-available', { id: 'c1', approved: true }],
    ['error', { approved: true }, 'output-error', { id: 'c1', approved: true }],
    [
      'declined',
      { approved: false, reason: 'Not now.' },
      'output-denied',
      { id: 'c1', approved: false, reason: 'Not now.' },
    ],
    // Approved, but a new message came before it ran.
    ['declined', { approved: true }, 'output-denied', { id: 'c1', approved: false }],
    ['interrupted', { approved: false }, 'output-error', undefined],
  ] as const)(
    'shows the answer to a call whose outcome is %s (%j)',
    async (outcome, approval, state, shown) => {
      const result = { type: 'tool_result', tool_use_id: 'c1', content: 'x' } as const;
      const facts = { outcomes: { c1: outcome }, approvals: { c1: approval } };
      const [message] = await told([
        said('assistant', [call('c1')]),
        said('user', [{ ...result, is_error: outcome !== 'ok' }], facts),
      ]);
      const part = message?.parts[1] as { state: string; approval?: object };
      expect([part.state, part.approval]).toEqual([state, shown]);
    },
  );
});
