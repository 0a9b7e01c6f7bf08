import { ADAPTERS, httpApp } from '../fixtures/http-app';
import { HELLO, resultOf, ScriptedRun } from '../fixtures/scripted-agent';

describe.each(ADAPTERS)('a stream of Responses on %s', (adapter) => {
  it('begins, and gives signs of life, while nothing happens', async () => {
    const runs: ScriptedRun[] = [];
    const app = await httpApp({
      adapter,
      http: { sse: { heartbeatMs: 5, stallMs: 60_000 } },
      agent: {
        start: () => {
          const run = new ScriptedRun();
          runs.push(run);
          return Promise.resolve(run);
        },
      },
    });
    try {
      const answer = await fetch(`${await app.getUrl()}/agent/v1/responses`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ input: 'hi', stream: true }),
      });
      const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
      let text = '';
      const readUntil = async (part: string): Promise<void> => {
        while (!text.includes(part)) {
          const { value, done } = (await reader?.read()) ?? { done: true };
          if (done) throw new Error(`The stream ended without ${part}`);
          text += value ?? '';
        }
      };
      await readUntil(': keep-alive\n\n');
      const quiet = text.split('\n\n').filter((frame) => frame.startsWith('event: '));
      expect(quiet.map((frame) => frame.split('\n')[0])).toEqual([
        'event: response.created',
        'event: response.in_progress',
      ]);
      const [run] = runs;
      for (const body of HELLO) run?.push(body);
      run?.end(resultOf());
      await readUntil('data: [DONE]\n\n');
      expect(text).toContain('event: response.completed\n');
      expect(text.match(/event: response\.created/g)).toHaveLength(1);
    } finally {
      await app.close();
    }
  });
});
