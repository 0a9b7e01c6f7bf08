import { textMessage } from '../../message';
import { growthOf } from '../../internal/fixtures/growth';
import type { ToolDefinition } from '../../tool';
import { Conversation, inShort } from './fixtures/converse';
import { PLATFORM_TOOLS } from './fixtures/platform-tools';

function said(step: ReturnType<Conversation['ask']>): string {
  if (step.type !== 'say') throw new Error(`It called: ${inShort(step).toString()}`);
  return step.text;
}

describe('the offline model in conversation', () => {
  it('says in its first reply, and only there, that it is a stand-in', () => {
    const conversation = new Conversation();
    expect(said(conversation.ask('hello'))).toContain('stand-in');
    expect(said(conversation.ask('hello'))).not.toContain('stand-in');

    const withCall = new Conversation();
    withCall.ask('add 2 and 40');
    expect(said(withCall.answer('42'))).toMatch(
      /stand-in[\s\S]*The result of add for 2 and 40 is 42\./,
    );
  });

  it('says what it can do', () => {
    expect(said(new Conversation().ask('what can you do?'))).toContain(
      '- list applications: List the applications that the user has',
    );
    expect(said(new Conversation({ tools: [] }).ask('list applications'))).toContain('no tools');
    expect(said(new Conversation({ toolChoice: 'none' }).ask('list applications'))).toContain(
      'This is what I can do',
    );
  });

  it('words a list of things', () => {
    const conversation = new Conversation();
    conversation.ask('list applications');
    const list = [
      { name: 'demo-app', status: 'running', version: '2.4.0', owner: { id: 1 } },
      { name: 'legacy', status: 'stopped', version: null },
    ];
    expect(said(conversation.answer(JSON.stringify(list)))).toContain(
      'Found 2 (list applications):\n- **demo-app** (status: running, version: 2.4.0)\n- **legacy** (status: stopped)',
    );
    conversation.ask('list workflows');
    expect(said(conversation.answer('[]'))).toBe('Nothing found (list workflows).');
  });

  it('words an object, with what stands in it', () => {
    const conversation = new Conversation();
    conversation.ask('show the dashboard');
    const stats = { applicationCount: 3, byStatus: { running: 2, stopped: 1 }, healthy: true };
    expect(said(conversation.answer(JSON.stringify(stats)))).toContain(
      '- application count: 3\n- by status:\n  - running: 2\n  - stopped: 1\n- healthy: yes',
    );
  });

  it('asks for what is missing and goes on with the answer', () => {
    const conversation = new Conversation();
    expect(said(conversation.ask('deploy demo-app'))).toContain(
      'To use deploy_application I still need "version" (Version to deploy, as major.minor.patch).',
    );
    expect(inShort(conversation.ask('2.5.0'))).toBe(
      'deploy_application {"name":"demo-app","version":"2.5.0"}',
    );
  });

  it('takes a plain word as the answer, asks again for the rest, and can be called off', () => {
    const conversation = new Conversation();
    expect(said(conversation.ask('delete an application'))).toContain('"name"');
    expect(inShort(conversation.ask('storefront'))).toBe(
      'delete_application {"name":"storefront"}',
    );

    const second = new Conversation();
    second.ask('delete an application');
    expect(said(second.ask('never mind'))).toBe('All right, I left it.');

    const third = new Conversation();
    third.ask('delete an application');
    expect(inShort(third.ask('list applications'))).toBe('list_applications {}');
  });

  it('knows what "it" is', () => {
    const conversation = new Conversation();
    conversation.ask('show me demo-app');
    conversation.answer('{"name":"demo-app","version":"2.4.0"}');
    expect(inShort(conversation.ask('deploy it in version 2.5.0'))).toBe(
      'deploy_application {"name":"demo-app","version":"2.5.0"}',
    );
    conversation.answer('{"name":"demo-app"}');
    expect(inShort(conversation.ask('now delete it'))).toBe(
      'delete_application {"name":"demo-app"}',
    );
  });

  it('recognises names that an earlier result held', () => {
    const conversation = new Conversation();
    conversation.ask('list applications');
    conversation.answer('[{"name":"storefront"},{"name":"Back Office"}]');
    expect(inShort(conversation.ask('show me back office'))).toBe(
      'get_application {"name":"Back Office"}',
    );
  });

  it('does one thing after the other where told so', () => {
    const conversation = new Conversation();
    expect(inShort(conversation.ask('list applications and then add 1 and 2'))).toBe(
      'list_applications {}',
    );
    expect(inShort(conversation.answer('[]'))).toBe('add {"a":1,"b":2}');
    const text = said(conversation.answer('3'));
    expect(text).toContain('Nothing found');
    expect(text).toContain('The result of add for 1 and 2 is 3.');
  });

  it('stops after a step that failed, and says so', () => {
    const conversation = new Conversation();
    conversation.ask('delete demo-app, then list applications');
    const text = said(conversation.answer({ error: 'HTTP 403: you may not do this' }));
    expect(text).toContain('you are not allowed to do this (delete application)');
    expect(text).toContain('I left the rest');
  });

  it.each([
    ['Forbidden resource', 'you are not allowed to do this'],
    ['Unauthorized', 'needs you to be logged in'],
    ['The user declined this call.', 'All right, I left it'],
    ['Nothing can be divided by 0.', 'that did not work (divide): Nothing can be divided by 0.'],
  ])('explains the error "%s" and never tries again', (error, expected) => {
    const conversation = new Conversation();
    conversation.ask('divide 1 by 0');
    expect(said(conversation.answer({ error }))).toContain(expected);
  });

  it('never changes anything because of a question', () => {
    for (const question of [
      'who deleted demo-app?',
      'which deployments failed?',
      'what does delete_application do to demo-app?',
      'is the rollback of demo-app done?',
    ]) {
      expect(inShort(new Conversation().ask(question)).toString()).not.toMatch(
        /^(?:delete|deploy|rollback)_/,
      );
    }
  });

  it('does not read where it was told to change something', () => {
    const tools = PLATFORM_TOOLS.filter(({ name }) => name !== 'delete_application');
    expect(said(new Conversation({ tools }).ask('delete demo-app'))).toContain('I found no tool');
  });

  it('honours the choice of tool', () => {
    const chosen = new Conversation({ toolChoice: { name: 'echo' } });
    expect(inShort(chosen.ask('good morning everybody'))).toBe(
      'echo {"message":"good morning everybody"}',
    );
    expect(said(chosen.answer('good morning'))).toContain('good morning');
    expect(new Conversation({ toolChoice: 'required' }).ask('hello').type).toBe('call');
  });

  it('finds tools that are only told of, looks at them, and calls them', () => {
    const search: ToolDefinition = {
      name: 'search_tools',
      description: 'Search for tools',
      input_schema: {
        type: 'object',
        properties: { query: { type: 'string' } },
        required: ['query'],
      },
    };
    const detail: ToolDefinition = {
      name: 'tool_detail',
      description: 'Show one tool with its schema',
      input_schema: {
        type: 'object',
        properties: { name: { type: 'string' } },
        required: ['name'],
      },
    };
    const conversation = new Conversation({ tools: [search, detail] });
    expect(inShort(conversation.ask('deploy demo-app 2.5.0'))).toBe(
      'search_tools {"query":"deploy demo-app 2.5.0"}',
    );
    const found = [{ name: 'deploy_application', summary: 'Deploy a version' }];
    expect(inShort(conversation.answer(JSON.stringify(found)))).toBe(
      'tool_detail {"name":"deploy_application"}',
    );
    const definition = PLATFORM_TOOLS.find(({ name }) => name === 'deploy_application');
    expect(inShort(conversation.answer(JSON.stringify(definition)))).toBe(
      'deploy_application {"name":"demo-app","version":"2.5.0"}',
    );
    expect(said(conversation.answer('{"version":"2.5.0"}'))).toContain('version: 2.5.0');
  });

  it('gives up looking where nothing is found', () => {
    const search: ToolDefinition = {
      name: 'search_tools',
      description: 'Search for tools',
      input_schema: { type: 'object', properties: { query: { type: 'string' } } },
    };
    const conversation = new Conversation({ tools: [search] });
    conversation.ask('make coffee');
    expect(said(conversation.answer('[]'))).toContain('I found no tool for "make coffee"');
  });

  it('equips a group that the words name', () => {
    const equip: ToolDefinition = {
      name: 'reset_equipped_tools',
      description: 'Choose groups of tools:\n- billing: invoices and payments\n- hr: people',
      input_schema: {
        type: 'object',
        properties: { to_activate: { type: 'array', items: { enum: ['billing', 'hr'] } } },
      },
    };
    const conversation = new Conversation({ tools: [equip] });
    expect(inShort(conversation.ask('list invoices'))).toBe(
      'reset_equipped_tools {"to_activate":["billing"]}',
    );
    expect(said(conversation.answer('ok'))).toContain('I found no tool');
  });

  it('ends whatever the tools answer', () => {
    const conversation = new Conversation();
    let step = conversation.ask('list applications and workflows and then show the dashboard');
    let count = 0;
    while (step.type === 'call' && count < 10) {
      step = conversation.answer('"again"', '"again"');
      count++;
    }
    expect(step.type).toBe('say');
    expect(count).toBe(2);
  });

  it('takes a history that somebody else began', () => {
    const conversation = new Conversation();
    conversation.messages.push(textMessage('system', 'Summary: they said hello.'));
    conversation.messages.push(textMessage('assistant', 'Hello.'));
    expect(inShort(conversation.ask('list workflows'))).toBe('list_workflows {}');
  });

  it.each([
    ['blanks', (size: number) => `list applications${' '.repeat(size)}x`],
    ['digits', (size: number) => `add ${'1'.repeat(10 * size)} and 2`],
  ])('takes no more time for each of many %s', (_, written) => {
    const ask = (size: number) => new Conversation().ask(written(size));
    expect(growthOf(ask, 300)).toBeLessThan(9);
  });
});
