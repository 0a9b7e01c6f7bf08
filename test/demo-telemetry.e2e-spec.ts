import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DemoProgram } from './support/demo/demo-program';
import { entryOf } from './support/demo/program';
import { newDatabase } from './support/new-database';
import { OtlpCollector } from './support/otel/otlp-collector';

const TRACING = join(__dirname, '../deploy/tracing.cjs');

describe('the demo with deploy/tracing.cjs', () => {
  it('sends its last traces and metrics before it stops', async () => {
    const collector = await OtlpCollector.start();
    const DATA_DIR = mkdtempSync(join(tmpdir(), 'nestjs-agent-demo-'));
    await (await newDatabase(join(DATA_DIR, 'sessions'))).close();
    const demo = await DemoProgram.start(entryOf('demo'), {
      DATA_DIR,
      NODE_OPTIONS: `--require ${JSON.stringify(TRACING)}`,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
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
      collector.stop();
      rmSync(DATA_DIR, { recursive: true });
    }
    const { traces, metrics } = collector;
    expect(traces).toContain('invoke_agent');
    expect(metrics).toContain('gen_ai.invoke_agent.duration');
    for (const text of [traces, metrics]) expect(text).toContain('"stringValue":"demo-web"');
  });
});
