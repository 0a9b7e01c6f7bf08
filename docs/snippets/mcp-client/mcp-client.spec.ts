import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { JsonObject } from 'nestjs-agent/types';
import {
  COMMON_CHECKS,
  HTTP_CHECKS,
  STDIO_CHECKS,
} from '../../../libs/agent/src/mcp/client/options/check-client-options';
import { EMPTY_INPUT, RawServer, textResult } from '../../../test/mcp/client/raw-server';
import { GuideApp } from '../../../test/support/guide-app';
import { guideRows } from '../../../test/support/guide-text';
import { AppModule } from './app.module';
import health from './health.json';
import { ToolStatus } from './tool-status';

describe('the guide to tools of MCP servers', () => {
  const { PATH } = process.env;
  let folder: string;
  let issues: RawServer;
  let app: GuideApp;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mcp-guide-'));
    await writeFile(join(folder, 'note.txt'), 'Buy lamps.');
    issues = new RawServer(({ method }, _response, { headers }) =>
      method === 'tools/call'
        ? textResult(headers.authorization === 'Bearer token-of-ada' ? 'seen by ada' : 'unseen')
        : undefined,
    );
    issues.tools = [
      { name: 'list-issues', inputSchema: EMPTY_INPUT, annotations: { readOnlyHint: true } },
      { name: 'close-issue', inputSchema: EMPTY_INPUT },
    ];
    await issues.start();
    process.env['DOCUMENTS'] = folder;
    process.env['ISSUES_URL'] = issues.url;
    process.env['PATH'] = [join(__dirname, '../../../node_modules/.bin'), PATH].join(delimiter);
    app = await GuideApp.start(AppModule);
  });
  afterAll(async () => {
    await app.close();
    await issues.close();
    await rm(folder, { recursive: true });
    process.env['PATH'] = PATH;
    delete process.env['DOCUMENTS'];
    delete process.env['ISSUES_URL'];
  });

  it('shows an application with a child process and a server over HTTP', async () => {
    const { body } = await app.get('/agent/tools');
    expect((body as { name: string }[]).map(({ name }) => name)).toEqual([
      'files_read_text_file',
      'files_write_file',
      'files_list_directory',
      'issues_list_issues',
      'issues_close_issue',
    ]);
    const listed = await app.call('files_list_directory', { path: folder });
    expect(listed.output).toBe('[FILE] note.txt');
    expect((await app.call('issues_list_issues')).output).toBe('seen by ada');
  });

  it.each(['files_read_text_file', 'issues_close_issue'])('%s asks', async (name) => {
    const input: JsonObject = name.startsWith('files') ? { path: join(folder, 'note.txt') } : {};
    const { status } = await app.chat({}, { toolCalls: [{ name, input }] });
    expect(status).toBe('requires_action');
  });

  it('shows the states', async () => {
    const { body } = await app.get('/agent/health');
    expect(body).toMatchObject({ ...health, model: expect.any(String) });
    expect(app.app.get(ToolStatus).away()).toEqual([]);
    expect(await app.app.get(ToolStatus).toolsOf('issues')).toHaveLength(2);
  });

  it('names each option once, and no other', () => {
    const rows = guideRows('mcp-client');
    // A table of results follows.
    const told = rows
      .slice(
        0,
        rows.findIndex(([cell]) => cell === 'a server sends'),
      )
      .flatMap(([cell = '']) => cell.split(', '))
      .map((name) => name.replaceAll('`', ''))
      .filter((name) => /^[a-z]\w+$/.test(name) && name !== 'option');
    const options = [HTTP_CHECKS, STDIO_CHECKS, COMMON_CHECKS].flatMap(Object.keys);
    expect(told.toSorted()).toEqual(options.toSorted());
  });
});
