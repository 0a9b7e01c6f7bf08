import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { GuideApp } from '../../../test/support/guide-app';
import { GreetingModule } from './greeting.module';

/** The tools, resources and prompts of `./greeting.tools`. */
describe('the section on MCP-Nest', () => {
  let guide: GuideApp;
  let client: Client;
  beforeAll(async () => {
    guide = await GuideApp.start(GreetingModule);
    client = new Client({ name: 'host', version: '1.0.0' });
    const requestInit = { headers: { authorization: 'Bearer ada' } };
    const url = new URL('/mcp', guide.url);
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  });
  afterAll(async () => {
    await client.close();
    await guide.close();
  });

  it('keeps schema, name and progress of a tool', async () => {
    const steps: number[] = [];
    const onprogress = ({ progress }: { progress: number }) => void steps.push(progress);
    const { content } = await client.callTool({ name: 'greet', arguments: {} }, { onprogress });
    expect(content).toEqual([{ type: 'text', text: 'Hello, World, says ada' }]);
    expect(steps).toEqual([50]);
    const { tools } = await client.listTools();
    expect(tools).toMatchObject([{ name: 'greet', annotations: { readOnlyHint: true } }]);
  });

  it('serves the template and the prompt', async () => {
    const { contents } = await client.readResource({ uri: 'greetings://de' });
    expect(contents).toMatchObject([{ text: 'Hallo', mimeType: 'text/plain' }]);
    const name = 'write_greeting';
    const { messages } = await client.getPrompt({ name, arguments: { name: 'Ada' } });
    expect(messages).toMatchObject([{ content: { text: 'Write a greeting to Ada.' } }]);
  });
});
