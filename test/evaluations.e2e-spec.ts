import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EvalFile, EvalSummary } from 'nestjs-agent/evals';
import { SaxesParser } from 'saxes';
import { Program, type ProgramResult } from './support/demo/program';

const ROOT = join(__dirname, '..');
const COMMAND = join(ROOT, 'libs/agent/cli/bin.js');
const DEMO = ['--config', 'apps/demo/src/agent.evals.config.ts'];

const run = (args: readonly string[]): Promise<ProgramResult> =>
  Program.start(COMMAND, ['eval', ...args]).ended();

describe('nestjs-agent eval', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'nestjs-agent-evals-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const path = (name: string): string => join(folder, name);
  const written = (name: string, contents: EvalFile | string): string => {
    const text = typeof contents === 'string' ? contents : JSON.stringify(contents);
    writeFileSync(path(name), text);
    return path(name);
  };
  const summary = (name: string): EvalSummary =>
    JSON.parse(readFileSync(path(name), 'utf8')) as EvalSummary;
  /** The attributes of all elements of an XML file, which must be well-formed. */
  const elements = (name: string): readonly Record<string, string>[] => {
    const found: Record<string, string>[] = [];
    const parser = new SaxesParser();
    parser.on('error', (error) => {
      throw error;
    });
    parser.on('opentag', ({ name: element, attributes }) => found.push({ element, ...attributes }));
    parser.write(readFileSync(path(name), 'utf8')).close();
    return found;
  };

  it("passes the demo's file on the offline model, and reports for people and machines", async () => {
    const reports = ['--json', path('out/all.json'), '--junit', path('out/all.xml')];
    const file = 'apps/demo/agent.evals.json';
    const { code, stdout, stderr } = await run([file, ...DEMO, ...reports]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /^✓ .*\n(?:✓ .*\n)+\n10 passed of 10 cases · [\d,]+ tokens · [\d.]+ s\n$/,
    );
    expect(summary('out/all.json')).toMatchObject({
      file,
      passed: true,
      counts: { passed: 10, failed: 0, skipped: 0 },
      cases: { length: 10, 1: { name: 'bob: what applications do I have', as: 'bob' } },
    });
    const [all, , first] = elements('out/all.xml');
    expect(all).toMatchObject({ element: 'testsuites', tests: '10', failures: '0', errors: '0' });
    expect(first).toMatchObject({ name: 'alice: what applications do I have', classname: file });
  });

  it('names what was called instead, and leaves undone what nobody approves', async () => {
    const file = written('wrong.json', {
      as: 'bob',
      cases: [
        { message: 'show workflow 103', calls: [{ name: 'list_workflows' }] },
        { message: 'add 2 and 40', calls: [{ name: 'add', input: { a: 2, b: 41 } }] },
        { message: 'delete application legacy-reports', never: ['delete_*'] },
        {
          name: 'declines',
          message: 'delete application legacy-reports',
          calls: [{ name: 'delete_application', asks: true, fails: true }],
          approvals: 'reject',
        },
        {
          name: 'is still there',
          message: 'show me the application legacy-reports',
          calls: [{ name: 'get_application', fails: false }],
        },
        {
          name: 'a developer may not roll back, even if it is approved',
          as: 'alice',
          message: 'roll back demo-app',
          calls: [{ name: 'rollback_application', asks: true, fails: false }],
          approvals: 'approve',
        },
      ],
    });
    const reports = ['--json', path('wrong.out.json'), '--junit', path('wrong.xml')];
    const { code, stdout } = await run([file, ...DEMO, ...reports, '--concurrency', '1']);
    expect(code).toBe(1);
    const lines = stdout.split('\n');
    expect(lines.slice(0, 9)).toEqual([
      '✗ bob: show workflow 103',
      '    list_workflows was not called; called instead: get_workflow {"id":103}',
      '✗ bob: add 2 and 40',
      '    add was called with other arguments: /b was 40, expected 41',
      '✗ bob: delete application legacy-reports',
      '    delete_application {"name":"legacy-reports"} was called, which "never" forbids: delete_*',
      '✓ declines',
      '✓ is still there',
      '✗ a developer may not roll back, even if it is approved',
    ]);
    expect(lines[9]).toMatch(/rollback_application ended in an error: .*the role admin/);
    expect(summary('wrong.out.json').counts).toEqual({ passed: 2, failed: 4, skipped: 0 });
    const failures = elements('wrong.xml').filter(({ element }) => element === 'failure');
    expect(failures.map(({ message }) => message)).toContain(
      'list_workflows was not called; called instead: get_workflow {"id":103}',
    );
  });

  it('reads YAML, repeats, and shows no text of a model as it stands', async () => {
    const cases =
      '  - message: Which orders?\n    calls:\n      - name: list_orders\n        input: {}';
    const file = written('hostile.yaml', `cases:\n${cases}\n`);
    const config = ['--config', 'test/evals/hostile.evals.config.ts'];
    const reports = ['--json', path('hostile.json'), '--junit', path('hostile.xml')];
    const repeated = ['--repeat', '3', '--threshold', '0.3', '--max-cost', '0.001'];
    const { code, stdout } = await run([
      file,
      ...config,
      ...reports,
      ...repeated,
      '--concurrency',
      '1',
    ]);
    // One attempt costs more than all may, so the others are left out.
    expect(code).toBe(1);
    expect(stdout.replace(/[ -~\n✗✓·]/g, '')).toBe('');
    expect(stdout).toMatch(/^- Which orders\?\n {4}.*\\u001b\[2J\]\]><\/failure>\\u0007\\u202e&/);
    expect(stdout).toMatch(/1 skipped of 1 case · 3 attempts each, 30 % must pass · .* cost 0\.00/);
    expect(elements('hostile.xml').at(-1)?.['message']).toContain('\\u0007\\u202e&');
    const [result] = summary('hostile.json').cases;
    expect(result?.attempts).toHaveLength(1);
    expect(result?.attempts[0]?.cost).toBeCloseTo(0.004);
  });

  it('asks the model that it is told, in place of the one of the file, and says which', async () => {
    const file = written('models.json', {
      model: 'small',
      cases: [{ message: 'Who are you?', answer: 'I am big.' }],
    });
    const config = ['--config', 'test/evals/models.evals.config.ts'];
    const chosen = ['--model', 'big', '--json', path('models.out.json')];
    const { code, stdout } = await run([file, ...config, ...chosen]);
    expect(stdout).toMatch(/^✓ .*\n\n1 passed of 1 case · model big · .* cost 0\.0\d*[1-9]/);
    expect(code).toBe(0);
    expect(summary('models.out.json').model).toBe('big');
    expect((await run([file, ...config])).stdout).toContain('1 failed of 1 case · model small');
  });

  it('lets nobody in whom the guards of an agent refuse, whatever the file says', async () => {
    const file = written('operations.json', {
      path: 'operations',
      cases: [
        { as: 'alice', message: 'show me the application demo-app', calls: [] },
        { message: 'show me the application demo-app', calls: [] },
        { as: 'bob', message: 'show me the application demo-app', answer: 'demo-app' },
      ],
    });
    const one = ['--concurrency', '1', '--junit', path('operations.xml')];
    const { code, stdout } = await run([file, ...DEMO, ...one]);
    expect(code).toBe(1);
    const lines = stdout.split('\n');
    expect(lines[1]).toMatch(/error: POST .*\/operations\/chat answered 403: .*the role admin\.$/);
    expect(lines[3]).toMatch(/answered 401: Log in first/);
    expect(lines[4]).toBe('✓ bob: show me the application demo-app');
    const kinds = elements('operations.xml').map(({ element }) => element);
    expect(kinds.filter((kind) => kind === 'error')).toHaveLength(2);
  });

  it('stops on Ctrl-C in mid-answer, and says what it left out', async () => {
    const silentModel = createServer().listen(0, '127.0.0.1');
    await once(silentModel, 'listening');
    const { port } = silentModel.address() as AddressInfo;
    const cases = ['one', 'two'].map((message) => ({ as: 'bob', message, calls: [] }));
    const program = Program.start(
      COMMAND,
      ['eval', written('two.json', { cases }), ...DEMO, '--concurrency', '1'],
      { OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1` },
    );
    await once(silentModel, 'request');
    program.signal('SIGINT');
    const { code, stdout } = await program.ended();
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^✗ bob: one\n {4}error: .*\n- bob: two\n\n1 failed, 1 skipped of 2 cases/,
    );
    silentModel.closeAllConnections();
    silentModel.close();
  });

  it('ends with 2 where it cannot run, and says why', async () => {
    const file = written('ok.json', { as: 'eve', cases: [{ message: 'Hi', calls: [] }] });
    const { code, stdout, stderr } = await run([file, ...DEMO]);
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr: 'There is no caller "eve" in the configuration; there are alice, bob.\n',
    });
  });
});
