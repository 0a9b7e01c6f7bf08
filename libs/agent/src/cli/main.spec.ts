import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { main } from './main';

const CASES = [{ message: 'Hi', calls: [] }];
const FILES: Readonly<Record<string, string>> = {
  'ok.json': JSON.stringify({ cases: CASES }),
  'broken.json': '{\n "cases" [] }',
  'cut.json': '{\n "cases": [',
  'broken.yaml': 'cases:\n  - message: a\n   calls: []\n',
  'field.json': '{ "cases": [{ "mesage": "Hi", "calls": [] }] }',
  'caller.json': JSON.stringify({ as: 'eve', cases: CASES }),
  'config.cjs': `module.exports = { app() { throw new Error('no database\\u001b[2J'); },
    callers: { ada: { authorization: 'x' } } };`,
  'wrong.cjs': 'module.exports = { app: 1, caller: {} };',
  'empty.cjs': 'module.exports = {};',
  'throwing.cjs': "throw new Error('no key');",
};

describe('the command', () => {
  let folder: string;
  let said: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'nestjs-agent-cli-'));
    for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  beforeEach(() => {
    said = '';
    const hear = (text: unknown): boolean => {
      said += String(text);
      return true;
    };
    jest.spyOn(process.stderr, 'write').mockImplementation(hear);
    jest.spyOn(process.stdout, 'write').mockImplementation(hear);
  });
  afterEach(() => jest.restoreAllMocks());

  const inFolder = (name: string): string => (name in FILES ? join(folder, name) : name);

  it.each<[string, string]>([
    ['eval none.json', 'none.json cannot be read: '],
    ['eval broken.json', 'broken.json:2:10 is no JSON'],
    ['eval cut.json', 'cut.json:2:12 is no JSON'],
    ['eval broken.yaml', 'broken.yaml is no YAML: '],
    ['eval field.json', 'field.json: cases[0].mesage is no option; did you mean message?'],
    ['eval caller.json --config config.cjs', 'no caller "eve" in the configuration; there are ada'],
    [
      'eval ok.json --config config.cjs',
      'The application cannot be created: no database\\u001b[2J',
    ],
    ['eval ok.json --config config.cjs --max-cost 1', 'add prices.default to '],
    ['eval ok.json --config config.cjs --max-cost 1 --model big', 'add prices.big to '],
    ['eval ok.json --config wrong.cjs', 'the default export.app must be a function, not 1'],
    [
      'eval ok.json --config wrong.cjs',
      'the default export.caller is no option; did you mean callers?',
    ],
    ['eval ok.json --config empty.cjs', 'the default export needs app'],
    ['eval ok.json --config throwing.cjs', 'throwing.cjs cannot be loaded: no key'],
    ['eval ok.json', 'dist/agent.evals.config.js does not exist. Build the application, or name'],
    ['eval ok.json broken.json', 'One file at a time'],
    ['eval ok.json --verbose', "Unknown option '--verbose'"],
    ['eval ok.json --repeat x', '--repeat must be a number, not "x"'],
    ['evaluate', 'There is no command "evaluate".'],
    ['', 'Usage: nestjs-agent eval [file]'],
  ])('ends with 2 and says why: %s', async (line, problem) => {
    const given = line === '' ? [] : line.split(' ').map(inFolder);
    expect(await main(given)).toBe(2);
    expect(said).toContain(problem);
    expect(said.replace(/[ -~\n…]/g, '')).toBe('');
  });

  it('tells how it is used', async () => {
    expect(await main(['eval', '--help'])).toBe(0);
    expect(said).toMatch(/--threshold <share> .*\n[^]*Exit codes: 0/);
  });
});
