import type { ToolDefinition } from '../../tool';
import { Conversation, inShort } from './fixtures/converse';
import { PLATFORM_TOOLS } from './fixtures/platform-tools';

function tool(name: string, description: string, required: readonly string[] = []): ToolDefinition {
  const properties = Object.fromEntries(required.map((key) => [key, { type: 'string' }]));
  return { name, description, input_schema: { type: 'object', properties, required } };
}

const others = [
  ...PLATFORM_TOOLS,
  tool('list_users', 'List all users'),
  tool('get_user', 'Show one user', ['id']),
];

describe('the offline model, asked about the person who asks,', () => {
  it.each([
    ['get_me', 'Me: GET /me'],
    ['users_me', 'The account'],
    ['auth_whoami', 'Whoami: GET /auth/whoami'],
    ['auth_get_profile', 'Get profile: GET /auth/profile'],
    ['users_current_user', 'Current user'],
    ['session_info', 'Tell who is logged in'],
  ])('finds %s', (name, description) => {
    for (const question of ['who am I', 'Who am I?', 'show me my profile', 'tell me about me']) {
      const conversation = new Conversation({ tools: [...others, tool(name, description)] });
      expect([question, inShort(conversation.ask(question))]).toEqual([question, `${name} {}`]);
    }
  });

  it('takes no tool that has to be told whose profile is meant', () => {
    const tools = [...others, tool('get_profile', 'Show a profile', ['id'])];
    const step = new Conversation({ tools }).ask('who am I');
    expect(step.type).toBe('say');
  });

  it('goes on finding what belongs to that person', () => {
    const tools = [...others, tool('get_me', 'Me: GET /me')];
    expect(inShort(new Conversation({ tools }).ask('list my applications'))).toBe(
      'list_applications {}',
    );
  });
});
