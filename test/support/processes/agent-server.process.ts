import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ChatResult } from 'nestjs-agent';
import { SseStream } from '../../http/sse-client';
import type { ServerSettings } from './agent-server';
import { packedModules, PACKED_HOOK } from './packs';

const SCRIPT = join(__dirname, 'agent-server.ts');

/** A refusal, or the result of a run. */
export type Answer = ChatResult & { readonly code?: string };

/** An application with an agent in another process, and alice as its client. */
export class AgentServer {
  private constructor(
    private readonly process: ChildProcess,
    readonly url: string,
  ) {}

  static async start(settings: ServerSettings): Promise<AgentServer> {
    const args = ['--require', PACKED_HOOK, SCRIPT, JSON.stringify(settings)];
    const child = spawn(process.execPath, args, {
      env: { ...process.env, PACKED_MODULES: packedModules() },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const died = once(child, 'exit').then(() => Promise.reject(new Error('It did not start.')));
    const printed = once(createInterface({ input: child.stdout }), 'line') as Promise<[string]>;
    const [url] = await Promise.race([printed, died]);
    died.catch(() => undefined);
    return new AgentServer(child, url);
  }

  async request(
    method: string,
    path: string,
    body?: object,
  ): Promise<{ readonly status: number; readonly body: Answer }> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        authorization: 'Bearer alice',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: JSON.parse(text || '{}') as Answer };
  }

  chat(
    message: string,
    sessionId?: string,
  ): Promise<{ readonly status: number; readonly body: Answer }> {
    return this.request('POST', '/agent/chat', { message, ...(sessionId && { sessionId }) });
  }

  /** A stream whose model has begun to speak. */
  async stream(message: string, sessionId?: string): Promise<SseStream> {
    const stream = await SseStream.open(`${this.url}/agent/chat/stream`, {
      headers: { authorization: 'Bearer alice' },
      body: { message, ...(sessionId && { sessionId }) },
    });
    await stream.next('text.delta');
    return stream;
  }

  /** A run's events, after the one of this number. */
  events(runId: string, lastEventId?: number): Promise<SseStream> {
    return SseStream.open(`${this.url}/agent/runs/${runId}/events`, {
      headers: {
        authorization: 'Bearer alice',
        ...(lastEventId !== undefined && { 'last-event-id': String(lastEventId) }),
      },
    });
  }

  /** Opens the gate of that process. */
  async go(): Promise<void> {
    await fetch(`${this.url}/control/go`, { method: 'POST' });
  }

  get isAlive(): boolean {
    return this.process.exitCode === null && this.process.signalCode === null;
  }

  signal(signal: NodeJS.Signals): void {
    this.process.kill(signal);
  }

  async ended(): Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }> {
    const { process: child } = this;
    if (this.isAlive) await once(child, 'exit');
    return { code: child.exitCode, signal: child.signalCode };
  }

  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.ended();
  }
}
