import { Logger } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { readFileSync, writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EvalFile } from 'nestjs-agent/evals';
import { parse } from 'yaml';
import { Program } from '../../../test/support/demo/program';
import { AppModule } from './app.module';
import { Nightly } from './nightly';

const ROOT = join(__dirname, '../../..');
const CONFIG = join(__dirname, 'agent.evals.config.ts');
const read = (name: string): string => readFileSync(join(__dirname, name), 'utf8');

const command = async (file: string) => {
  const args = ['eval', file, '--config', CONFIG, '--concurrency', '1'];
  return Program.start(join(ROOT, 'libs/agent/cli/bin.js'), args).ended();
};

describe('the guide to evaluation', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'nestjs-agent-guide-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('has cases that pass, in one file or in several', async () => {
    const { cases, ...rest } = JSON.parse(read('agent.evals.json')) as EvalFile;
    const others = parse(read('conditions.evals.yaml')) as EvalFile;
    const both = join(folder, 'both.json');
    writeFileSync(both, JSON.stringify({ ...rest, cases: [...cases, ...others.cases] }));
    const { code, stdout } = await command(both);
    expect(stdout).toContain('6 passed of 6 cases');
    expect(code).toBe(0);
  });

  it('shows the report of an agent that does something else', async () => {
    const changed = join(folder, 'changed.json');
    // A changed prompt or model shows as other calls: here others are expected.
    writeFileSync(changed, read('agent.evals.json').replace('"id": 17 } }],', '"id": 71 } }],'));
    const { code, stdout } = await command(changed);
    const withoutTimes = (text: string): string => text.replace(/\d+\.\d s/, '0.0 s').trim();
    expect(withoutTimes(stdout)).toBe(withoutTimes(read('report.txt')));
    expect(code).toBe(1);
  });

  it('runs the same in a service, where its guards are those of the tools', async () => {
    const module = Test.createTestingModule({ imports: [AppModule], providers: [Nightly] });
    const app = (await module.compile()).createNestApplication({ logger: false });
    await app.init();
    const log = jest.spyOn(Logger.prototype, 'log').mockImplementation();
    const summary = await app.get(Nightly).run(JSON.parse(read('agent.evals.json')));
    expect(summary).toMatchObject({ passed: true, repeat: 5 });
    const lines = log.mock.calls.flat().filter((line) => / passed$/.test(String(line)));
    expect(lines.sort()).toEqual([
      'ada: get order 17: passed',
      'asks before it cancels: passed',
      'does not show the orders of others: passed',
    ]);
    log.mockRestore();
    await app.close();
  });

  it('runs the command after a build', () => {
    expect(read('run.sh')).toContain('nestjs-agent eval --junit reports/evals.xml');
  });
});
