import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { DemoProgram } from './support/demo/demo-program';
import { entryOf } from './support/demo/program';

const TRACING = join(__dirname, '../deploy/tracing.cjs');

describe('the demo with deploy/tracing.cjs', () => {
  it('sends its last traces and metrics before it stops', async () => {
    const received = { '/v1/traces': '', '/v1/metrics': '' };
    const collector = createServer((incoming, response) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const body = Buffer.concat(chunks);
        const isZipped = incoming.headers['content-encoding'] === 'gzip';
        received[incoming.url as keyof typeof received] += String(
          isZipped ? gunzipSync(body) : body,
        );
        response.end('{}');
      });
    });
    await new Promise<void>((done) => collector.listen(0, '127.0.0.1', done));
    const DATA_DIR = mkdtempSync(join(tmpdir(), 'nestjs-agent-demo-'));
    const demo = await DemoProgram.start(entryOf('demo'), {
      DATA_DIR,
      NODE_OPTIONS: `--require ${JSON.stringify(TRACING)}`,
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
      OTEL_SERVICE_NAME: 'demo-web',
    });
    try {
      const answer = await demo.chat(await demo.login('alice'), 'hello');
      expect(answer).toMatchObject({ status: 'completed' });
      demo.program.signal('SIGTERM');
      expect(await demo.program.ended()).toMatchObject({ code: 0 });
    } finally {
      demo.program.signal('SIGKILL');
      await demo.program.ended();
      collector.close().closeAllConnections();
      rmSync(DATA_DIR, { recursive: true });
    }
    expect(received['/v1/traces']).toContain('invoke_agent');
    expect(received['/v1/metrics']).toContain('gen_ai.invoke_agent.duration');
    for (const text of Object.values(received)) expect(text).toContain('"stringValue":"demo-web"');
  });
});
