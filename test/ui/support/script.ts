import type { Page } from 'playwright-core';

/** The end of an answer that is scripted chunk by chunk. */
export const FINISH = {
  type: 'finish',
  reason: 'end_turn',
  usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 },
} as const;

export const text = (delta: string) => ({ type: 'text.delta', delta }) as const;

/** Calls of tools of the demo that wait for the user's consent, all in one step. */
export const deploy = (version: string, ...names: readonly string[]) => ({
  toolCalls: (names.length > 0 ? names : ['demo-app']).map((name) => ({
    name: 'deploy_application',
    input: { name, version },
  })),
});

export const remove = (name: string) => ({
  toolCalls: [{ name: 'delete_application', input: { name } }],
});

/** Has the next message answered by a run of these events, without the server; it ends by itself. */
export async function answerWith(page: Page, ...events: readonly object[]): Promise<void> {
  const started = { type: 'run.started', sessionId: 's', model: 'm' };
  const finished = { type: 'run.finished', status: 'completed', message: '', pendingActions: [] };
  const isEnded = events.some((event) => 'type' in event && event.type === finished.type);
  const run = [started, ...events, ...(isEnded ? [] : [finished])].map((event, index) => ({
    ...event,
    runId: 'r',
    seq: index + 1,
  }));
  await page.route('**/agent/chat/stream', (route) =>
    route.fulfill({
      contentType: 'text/event-stream',
      body: run.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''),
    }),
  );
}
