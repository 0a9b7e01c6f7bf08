import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { GuideApp } from '../../../test/support/guide-app';
import { guideText } from '../../../test/support/guide-text';
import { AppModule } from './app.module';
import { PageModule } from './page.module';

/** The sources of the page are built by themselves, so the compiler finds no types of them here. */
const { workbenchWords } = jest.requireActual<{
  workbenchWords(
    isSpoken: () => boolean,
    own?: object,
  ): { readonly tabs: { readonly try: string } };
}>('../../../libs/chat-ui/src/workbench/texts');

interface Listed {
  readonly tools: readonly { readonly name: string; readonly withheld?: object }[];
  readonly mayAll: boolean;
}

describe('the guide to the workbench', () => {
  let guide: GuideApp;
  beforeAll(async () => {
    guide = await GuideApp.start(AppModule);
  });
  afterAll(() => guide.close());

  const listFor = async (user: string): Promise<Listed> =>
    (await guide.get('/agent/workbench/tools?all=true', user)).body as Listed;

  it('shows all tools to whom the option names, and nobody else', async () => {
    const names = ({ tools }: Listed) => tools.map(({ name }) => name);
    const [ada, grace] = [await listFor('ada'), await listFor('grace')];
    expect([ada.mayAll, grace.mayAll]).toEqual([true, false]);
    expect(names(ada)).toContain('close_shop');
    expect(names(grace)).not.toContain('close_shop');
  });

  it('calls a tool as the caller, after an approval', async () => {
    const { body } = await guide.post('/agent/workbench/calls', {
      tool: 'remove_book',
      input: { title: 'Nest' },
    });
    expect(body).toMatchObject({ status: 'awaiting_approval' });
    const path = `/agent/workbench/calls/${(body as { callId: string }).callId}`;
    const answered = await guide.post(path, { type: 'approve' });
    expect(answered.body).toMatchObject({ status: 'executed', content: 'removed Nest' });
  });

  it('names the tabs and the stages that there are', async () => {
    const { body } = await guide.post('/agent/workbench/calls', { tool: 'list_orders' });
    const { stages } = body as { stages: readonly { stage: string }[] };
    expect(stages.length).toBeGreaterThan(3);
    const text = guideText('workbench');
    for (const { stage } of stages) expect(text).toContain(`\`${stage}\``);
    for (const tab of ['Tools', 'Try', 'Runs', 'Evaluate']) expect(text).toContain(`## ${tab}`);
  });

  it('replaces words that there are', () => {
    const workbench: { texts?: object } = {};
    const script = readFileSync(join(__dirname, 'words.js'), 'utf8');
    runInNewContext(script, { document: { querySelector: () => workbench } });
    const words = workbenchWords(() => false, workbench.texts);
    expect(words).toMatchObject(JSON.parse(JSON.stringify(workbench.texts)) as object);
    expect(words.tabs.try).toBe('Try');
  });

  it('opens without headers where the page brings them itself', async () => {
    const tokens = await GuideApp.start(PageModule);
    try {
      expect((await fetch(`${tokens.url}/agent/workbench`)).status).toBe(200);
      expect((await fetch(`${tokens.url}/agent/workbench/tools`)).status).toBe(403);
      expect((await fetch(`${guide.url}/agent/workbench`)).status).toBe(403);
    } finally {
      await tokens.close();
    }
  });
});
