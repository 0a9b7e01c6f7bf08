import request from 'supertest';
import { SessionNotFoundError } from '../../session';
import { ADAPTERS, httpApp } from '../fixtures/http-app';
import { ScriptedRun } from '../fixtures/scripted-agent';

const BODY = { id: 'main', message: { role: 'user', parts: [{ type: 'text', text: 'hi' }] } };

describe.each(ADAPTERS)('a UI message stream on %s', (adapter) => {
  it('begins after a while without content, and is kept alive by comments', async () => {
    const run = new ScriptedRun();
    const app = await httpApp({
      adapter,
      http: { sse: { heartbeatMs: 5, stallMs: 60_000 } },
      sessions: {
        get: () => Promise.reject(new SessionNotFoundError()),
        create: () => Promise.resolve({ sessionId: 'ses_1' }),
      },
      agent: { start: () => Promise.resolve(run) },
    });
    const { text } = await request(await app.getUrl())
      .post('/agent/ai-sdk')
      .send(BODY)
      .buffer(true)
      .parse((response, done) => {
        let text = '';
        response.on('data', (chunk: Buffer) => {
          text += chunk.toString();
          if (text.split(': keep-alive\n\n').length > 2) run.end();
        });
        response.on('end', () => done(null, text));
      })
      .then(({ body }) => ({ text: body as string }));
    expect(text).toMatch(
      /^data: \{"type":"start",[^\n]*"sessionId":"ses_1"[^\n]*\}\n\n(: keep-alive\n\n)+data: \{"type":"finish"/,
    );
    expect(text).toMatch(/\ndata: \[DONE\]\n\n$/);
    await app.close();
  });
});
