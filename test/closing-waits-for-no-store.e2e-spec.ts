import { Logger } from '@nestjs/common';
import { memoryStore, type AgentEvent } from 'nestjs-agent';
import { Barrier } from 'nestjs-agent/testing';
import request from 'supertest';
import { ADAPTERS, agentApp } from './http/agent-app';
import { SseStream } from './http/sse-client';

const alice = { authorization: 'Bearer alice' };

/** A store that answers nothing any more from a moment on. */
class HangingStore {
  private isHanging = false;
  private tellAsked: () => void = () => undefined;
  readonly asked = new Promise<void>((resolve) => (this.tellAsked = resolve));

  readonly store = new Proxy(memoryStore(), {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (name === 'close') return () => new Promise(() => undefined);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown => {
        if (!this.isHanging) return Reflect.apply(member, target, args) as unknown;
        this.tellAsked();
        return new Promise(() => undefined);
      };
    },
  });

  hang(): void {
    this.isHanging = true;
  }
}

describe.each(ADAPTERS)('an application on %s whose session store hangs', (adapter) => {
  it('closes by its deadline, ends what is open, and says what was left', async () => {
    const said = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    const gate = new Barrier();
    const hanging = new HangingStore();
    const { app, url } = await agentApp({
      adapter,
      sessions: { store: hanging.store },
      shutdown: { deadlineMs: 600 },
      steps: [[{ type: 'text.delta', delta: 'One ' }, gate]],
      appOptions: {},
    });
    const stream = await SseStream.open(`${url}/agent/chat/stream`, {
      headers: alice,
      body: { message: 'hi' },
    });
    await gate.reached;
    hanging.hang();
    const listed = request(url)
      .get('/agent/sessions')
      .set(alice)
      .then((response) => response);
    await hanging.asked;

    await app.close();
    expect((await listed).body).toMatchObject({ statusCode: 503, code: 'store_unavailable' });
    const ends: readonly AgentEvent[] = await stream.all();
    expect(ends.slice(-2)).toMatchObject([
      { type: 'error', code: 'shutdown' },
      { type: 'run.finished', status: 'failed' },
    ]);
    const lines = said.mock.calls.map(([line]) => String(line));
    said.mockRestore();
    expect(lines).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^The session store did not answer within 0\.3 s \(.*list ×1/),
        'The session store did not close within 0.3 s.',
      ]),
    );
  });
});
