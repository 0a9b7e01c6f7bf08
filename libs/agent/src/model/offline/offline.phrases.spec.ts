import type { ToolDefinition } from '../../tool';
import { Conversation, inShort } from './fixtures/converse';
import { PLATFORM_TOOLS } from './fixtures/platform-tools';

describe('the offline model, among tools of a controller of users,', () => {
  const tools: readonly ToolDefinition[] = [
    {
      name: 'user_find_all',
      description: 'Get user list',
      input_schema: {
        type: 'object',
        properties: { role: { type: 'string', enum: ['USER', 'ADMIN'] } },
      },
    },
    {
      name: 'user_get_summary',
      description: 'Get user summary statistics',
      input_schema: { type: 'object', properties: {} },
    },
  ];

  it.each([
    ['get user list', 'user_find_all {}'],
    ['list all users', 'user_find_all {}'],
    ['find all users with role admin', 'user_find_all {"role":"ADMIN"}'],
    ['find all users with role user', 'user_find_all {"role":"USER"}'],
    ['user summary statistics', 'user_get_summary {}'],
  ])('understands %s', (message, call) => {
    expect(inShort(new Conversation({ tools }).ask(message))).toBe(call);
  });
});

describe('the offline model, beside the words that name a parameter,', () => {
  const text = { type: 'string' } as const;
  const tools: readonly ToolDefinition[] = [
    {
      name: 'deploy_app',
      description: 'Deploy a version of an application',
      input_schema: {
        type: 'object',
        properties: { name: text, version: text },
        required: ['name', 'version'],
      },
    },
    {
      name: 'files_list_directory',
      description: 'List the files of a directory',
      input_schema: { type: 'object', properties: { path: text }, required: ['path'] },
    },
  ];

  it.each([
    ['deploy shop 1.2', 'deploy_app {"name":"shop","version":"1.2"}'],
    ['deploy shop version 1.2', 'deploy_app {"name":"shop","version":"1.2"}'],
    ['deploy version 1.2 of the application shop', 'deploy_app {"name":"shop","version":"1.2"}'],
    ['list directory path /srv/documents', 'files_list_directory {"path":"/srv/documents"}'],
    ['list the directory /srv', 'files_list_directory {"path":"/srv"}'],
    ['list the directory /srv/.config/a--b', 'files_list_directory {"path":"/srv/.config/a--b"}'],
    ['list the directory ./src/a-b.d', 'files_list_directory {"path":"./src/a-b.d"}'],
  ])('understands %s', (message, call) => {
    expect(inShort(new Conversation({ tools }).ask(message))).toBe(call);
  });
});

describe('the offline model understands', () => {
  it.each([
    ['what applications do I have', 'list_applications {}'],
    ['What apps do I have?', 'list_applications {}'],
    ['list my applications', 'list_applications {}'],
    ['show all aplications', 'list_applications {}'],
    [
      'Can you please list the apps in production?',
      'list_applications {"environment":"production"}',
    ],
    ['which applications are in staging', 'list_applications {"environment":"staging"}'],
    ['how many applications are there', 'list_applications {}'],
    ['my services', 'list_applications {}'],
    ['show me demo-app', 'get_application {"name":"demo-app"}'],
    ['show me the application demo-app', 'get_application {"name":"demo-app"}'],
    ['tell me about the demo-app application', 'get_application {"name":"demo-app"}'],
    ['details of application "billing worker"', 'get_application {"name":"billing worker"}'],
    ['show me billing-worker', 'get_application {"name":"billing-worker"}'],
    ['billing-worker', 'get_application {"name":"billing-worker"}'],
    ['what is the status of demo-app', 'get_application {"name":"demo-app"}'],
    ['what was deployed to staging', 'list_applications {"environment":"staging"}'],
    ['get application storefront', 'get_application {"name":"storefront"}'],
    [
      'show me failed workflows for demo-app',
      'list_workflows {"application":"demo-app","status":"failed"}',
    ],
    [
      'failing pipelines of api-gateway',
      'list_workflows {"application":"api-gateway","status":"failed"}',
    ],
    ['list workflows', 'list_workflows {}'],
    ['which workflows are running?', 'list_workflows {"status":"running"}'],
    ['show the last 5 workflows', 'list_workflows {"limit":5}'],
    [
      'show workflows with limit 3 and status succeeded',
      'list_workflows {"limit":3,"status":"succeeded"}',
    ],
    ['show workflow 103', 'get_workflow {"id":103}'],
    ['what happened in workflow number 103?', 'get_workflow {"id":103}'],
    ['list resources', 'list_resources {}'],
    ['what databases are there', 'list_resources {"type":"database"}'],
    ['which resources does demo-app have', 'list_resources {"application":"demo-app"}'],
    ['show the caches of demo-app', 'list_resources {"application":"demo-app","type":"cache"}'],
    ['show me the dashboard', 'get_dashboard_stats {}'],
    ['dashboard stats', 'get_dashboard_stats {}'],
    ['give me the statistics of the platform', 'get_dashboard_stats {}'],
    ['give me an overview', 'get_dashboard_stats {}'],
    ['deploy demo-app 2.5.0', 'deploy_application {"name":"demo-app","version":"2.5.0"}'],
    [
      'deploy version 2.5.0 of demo-app',
      'deploy_application {"name":"demo-app","version":"2.5.0"}',
    ],
    [
      'Please ship billing-worker v1.2.0',
      'deploy_application {"name":"billing-worker","version":"v1.2.0"}',
    ],
    [
      'I want to deploy storefront 3.0.1',
      'deploy_application {"name":"storefront","version":"3.0.1"}',
    ],
    ['delete demo-app', 'delete_application {"name":"demo-app"}'],
    ['remove the application legacy-reports', 'delete_application {"name":"legacy-reports"}'],
    ['get rid of legacy-reports', 'delete_application {"name":"legacy-reports"}'],
    ['delete the storefront application', 'delete_application {"name":"storefront"}'],
    ['rollback demo-app', 'rollback_application {"name":"demo-app"}'],
    ['roll back api-gateway', 'rollback_application {"name":"api-gateway"}'],
    ['roll demo-app back', 'rollback_application {"name":"demo-app"}'],
    ['add 2 and 40', 'add {"a":2,"b":40}'],
    ['what is 2 + 40?', 'add {"a":2,"b":40}'],
    ['what is the sum of 2 and 40', 'add {"a":2,"b":40}'],
    ['2 plus 40', 'add {"a":2,"b":40}'],
    ['6 times 7', 'multiply {"a":6,"b":7}'],
    ['multiply 6 by 7', 'multiply {"a":6,"b":7}'],
    ['subtract 3 from 10', 'subtract {"a":10,"b":3}'],
    ['10 minus -2.5', 'subtract {"a":10,"b":-2.5}'],
    ['divide 10 by 4', 'divide {"a":10,"b":4}'],
    ['what time is it', 'current_time {}'],
    ['what time is it in Europe/Berlin?', 'current_time {"timeZone":"Europe/Berlin"}'],
    [
      'how many days from 2026-01-01 to 2026-03-01',
      'days_between {"from":"2026-01-01","to":"2026-03-01"}',
    ],
    [
      'days between 2026-01-01 and 2026-03-01',
      'days_between {"from":"2026-01-01","to":"2026-03-01"}',
    ],
    ['run a health check of demo-app', 'check_health {"application":"demo-app"}'],
    ['is demo-app healthy?', 'check_health {"application":"demo-app"}'],
    ['check the health of api-gateway', 'check_health {"application":"api-gateway"}'],
    ['who is on call for demo-app', 'who_is_on_call {"application":"demo-app"}'],
    ['who is on call for payments?', 'who_is_on_call {"application":"payments"}'],
    [
      'send an email to ann@example.org with subject "All is well"',
      'send_email {"subject":"All is well","to":"ann@example.org"}',
    ],
    ['echo "hello there"', 'echo {"message":"hello there"}'],
    ['set the theme to dark', 'set_theme {"theme":"dark"}'],
    ['use list_workflows', 'list_workflows {}'],
    ['call get_workflow with id 7', 'get_workflow {"id":7}'],
  ])('%s', (phrase, expected) => {
    expect(inShort(new Conversation().ask(phrase))).toBe(expected);
  });

  it.each([
    [
      'list applications and show failed workflows',
      ['list_applications {}', 'list_workflows {"status":"failed"}'],
    ],
    ['show applications and workflows', ['list_applications {}', 'list_workflows {}']],
    ['add 1 and 2, and multiply 3 by 4', ['add {"a":1,"b":2}', 'multiply {"a":3,"b":4}']],
    [
      'Show the dashboard. Who is on call for demo-app?',
      ['get_dashboard_stats {}', 'who_is_on_call {"application":"demo-app"}'],
    ],
  ])('two wishes at once: %s', (phrase, expected) => {
    expect(inShort(new Conversation().ask(phrase))).toEqual(expected);
  });
});

describe('the offline model finds plain words', () => {
  const tool = (name: string, ...required: string[]): ToolDefinition => ({
    name,
    description: name.replaceAll('_', ' '),
    input_schema: {
      type: 'object',
      properties: Object.fromEntries(required.map((each) => [each, { type: 'string' }])),
      required,
    },
  });

  it.each([
    ['look up user ada', tool('get_user', 'username'), { username: 'ada' }],
    [
      'create a cat named Tom, breed siamese',
      tool('create_cat', 'name', 'breed'),
      { name: 'Tom', breed: 'siamese' },
    ],
    [
      'create a cat, breed name siamese, keeper ada',
      tool('create_cat', 'breedName', 'keeper'),
      { breedName: 'siamese', keeper: 'ada' },
    ],
    [
      'create a cat, Breed: siamese, keeper name ada',
      tool('create_cat', 'Breed', 'keeper_name'),
      { Breed: 'siamese', keeper_name: 'ada' },
    ],
  ])('%s', (message, offered, input) => {
    const step = new Conversation({ tools: [offered] }).ask(message);
    expect(step).toMatchObject({ type: 'call', calls: [{ name: offered.name, input }] });
  });
});

describe('the offline model asks another agent', () => {
  const asking = (name: string, description: string): ToolDefinition => ({
    name,
    description,
    input_schema: {
      type: 'object',
      properties: { message: { type: 'string', minLength: 1 } },
      required: ['message'],
    },
  });
  const tools = [
    ...PLATFORM_TOOLS,
    asking('ask_operations', 'Deploys applications and lists workflows.'),
    asking('ask_guide', 'Answers questions about applications, workflows and resources.'),
  ];

  it.each([
    ['ask operations to deploy demo-app 2.5.0', 'ask_operations', 'deploy demo-app 2.5.0'],
    ['Please ask the Operations agent: deploy it.', 'ask_operations', 'deploy it'],
    ['can you ask guide what applications I have?', 'ask_guide', 'what applications I have'],
    ['ask guide about demo-app', 'ask_guide', 'demo-app'],
  ])('%s', (message, name, passedOn) => {
    const step = new Conversation({ tools }).ask(message);
    expect(inShort(step)).toBe(`${name} ${JSON.stringify({ message: passedOn })}`);
  });

  it('after one another, and each what it is to be asked', () => {
    const conversation = new Conversation({ tools });
    expect(
      inShort(conversation.ask('ask guide who runs demo-app and then ask operations to deploy it')),
    ).toBe('ask_guide {"message":"who runs demo-app"}');
    expect(inShort(conversation.answer('Alice does.'))).toBe(
      'ask_operations {"message":"deploy it"}',
    );
  });

  it.each([
    ['list workflows', 'list_workflows {}'],
    ['deploy demo-app 2.5.0', 'deploy_application {"name":"demo-app","version":"2.5.0"}'],
  ])('only when it is addressed: %s', (message, call) => {
    expect(inShort(new Conversation({ tools }).ask(message))).toBe(call);
  });

  it('and passes the answer on without the other one’s introduction', () => {
    const conversation = new Conversation({ tools });
    conversation.ask('ask guide what time it is');
    const intro = new Conversation().ask('hello');
    const [stranger = ''] = intro.type === 'say' ? intro.text.split('\n\n') : [];
    const step = conversation.answer(`${stranger}\n\nNoon.`);
    expect(step).toEqual({ type: 'say', text: expect.stringMatching(/^I am .*\n\nNoon\.$/s) });
    expect(step.type === 'say' && step.text.split('stand-in')).toHaveLength(2);
  });
});
