import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { GuideApp } from '../../../test/support/guide-app';
import { McpShopModule } from './shop.module';

const read = (name: string): string => readFileSync(join(__dirname, name), 'utf8');

interface LibreChat {
  readonly endpoints: {
    readonly custom: readonly {
      readonly baseURL: string;
      readonly models: { default: string[] };
    }[];
  };
  readonly mcpServers: Readonly<Record<string, { readonly url: string }>>;
}

// The fields that LibreChat sends by default, according to its documentation.
const DEFAULTS = {
  temperature: 1,
  top_p: 1,
  presence_penalty: 0,
  frequency_penalty: 0,
  user: 'LibreChat_User_ID',
  stream: true,
};

describe('the guide to clients that people have', () => {
  const libreChat = parse(read('librechat.yaml')) as LibreChat;
  const [custom] = libreChat.endpoints.custom;
  const vsCode = JSON.parse(read('vs-code.json')) as { servers: { shop: { url: string } } };
  const openCode = JSON.parse(read('opencode.json')) as {
    provider: { shop: { options: { baseURL: string } } };
    mcp: { shop: { url: string } };
  };
  const n8n = JSON.parse(read('n8n.json')) as {
    nodes: readonly { parameters: { endpointUrl?: string } }[];
  };
  const n8nTools = n8n.nodes.flatMap(({ parameters: { endpointUrl = [] } }) => endpointUrl);
  const codex = /^url = "(.+)"$/m.exec(read('codex.toml'))?.[1] ?? '';
  const openWebUi = /^OPENAI_API_BASE_URL=(.+)$/m.exec(read('open-webui.env'))?.[1] ?? '';
  let guide: GuideApp;
  beforeAll(async () => {
    guide = await GuideApp.start(McpShopModule);
  });
  afterAll(() => guide.close());

  const models = [openWebUi, custom?.baseURL ?? '', openCode.provider.shop.options.baseURL];
  it.each(models)('lists its models at %s', async (address) => {
    const { body } = await guide.get(`${new URL(address).pathname}/models`).expect(200);
    const ids = (body as { data: { id: string }[] }).data.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(custom?.models.default ?? []));
  });

  it('streams an answer to the fields that such a client sends', async () => {
    guide.model.push('Hello.');
    const messages = [{ role: 'user', content: 'hi how are you' }];
    const path = `${new URL(custom?.baseURL ?? '').pathname}/chat/completions`;
    const { text } = await guide
      .post(path, { ...DEFAULTS, model: custom?.models.default[0], messages })
      .expect(200);
    expect(text).toContain('"content":"Hello."');
    expect(text).toContain('data: [DONE]');
  });

  const shop = libreChat.mcpServers['shop']?.url ?? '';
  it.each([shop, vsCode.servers.shop.url, openCode.mcp.shop.url, codex, ...n8nTools])(
    'serves its tools at %s, to those who log in',
    async (address) => {
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
      const { pathname } = new URL(address);
      const { body } = await guide.post(pathname, message).expect(200);
      const { tools } = (body as { result: { tools: { name: string }[] } }).result;
      expect(tools.map(({ name }) => name)).toContain('list_orders');
      await guide.post(pathname, message, 'eve').expect(403);
    },
  );
});
