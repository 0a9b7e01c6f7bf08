import { Test } from '@nestjs/testing';
import {
  AgentModule,
  defineTool,
  offline,
  ToolCallFactory,
  ToolRegistry,
  type AuditRecord,
} from 'nestjs-agent';

describe('a call that waits, outside a run', () => {
  const ran: unknown[] = [];
  const records: AuditRecord[] = [];
  const level = { today: 'ask' as 'ask' | 'deny', isHidden: false };
  const alice = { principal: 'alice' };
  const app = Test.createTestingModule({
    imports: [
      AgentModule.forRoot({
        model: offline(),
        path: false,
        audit: { record: (record) => void records.push(record) },
      }),
    ],
  })
    .compile()
    .then((module) => module.createNestApplication({ logger: false }).init());
  afterAll(async () => (await app).close());

  beforeAll(async () => {
    const registry = (await app).get(ToolRegistry);
    registry.register(
      defineTool({
        name: 'remove_file',
        description: 'Remove a file',
        permission: () => level.today,
        visible: () => !level.isHidden,
        input: { type: 'object', properties: { name: { type: 'string' } } },
        execute: (input) => {
          ran.push(input);
          return 'removed';
        },
      }),
    );
    const lookUp = defineTool({ name: 'ask_person', description: 'Ask', execute: () => 'dropped' });
    registry.register({ ...lookUp, kind: 'person', answer: { from: 'external' } });
  });
  beforeEach(() => {
    ran.length = 0;
    records.length = 0;
    level.today = 'ask';
    level.isHidden = false;
  });

  const parked = async (callId: string, name = 'remove_file') => {
    const calls = (await app).get(ToolCallFactory);
    const { response } = await calls.create(name, {}, { ...alice, callId });
    return { calls, response };
  };
  const refused = { code: 'not_pending' };

  it('runs once it is approved, checked once more', async () => {
    const { calls, response } = await parked('c1');
    expect(response.status).toBe('awaiting_approval');
    expect(await calls.settle('c1', { type: 'approve' }, alice)).toBe(response);
    expect(response).toMatchObject({ status: 'executed', result: 'removed' });
    expect(records).toMatchObject([{ callId: 'c1', outcome: 'executed', approval: 'approved' }]);

    const later = await parked('c2');
    level.today = 'deny';
    await calls.settle('c2', { type: 'approve' }, alice);
    expect(later.response).toMatchObject({
      status: 'declined',
      error: { code: 'permission_denied' },
    });

    level.today = 'ask';
    const last = await parked('c2');
    level.isHidden = true;
    await calls.settle('c2', { type: 'approve' }, alice);
    expect(last.response.status).toBe('not_found');
    expect(ran).toHaveLength(1);
  });

  it('is not run where its tool was replaced or removed since', async () => {
    const registry = (await app).get(ToolRegistry);
    const tool = { name: 'rename_file', permission: 'ask' } as const;
    const execute = (): string => `renamed ${ran.push('renamed')}`;
    registry.register(defineTool({ ...tool, description: 'Rename a file', execute }));
    const { calls, response } = await parked('c6', 'rename_file');
    registry.replace(defineTool({ ...tool, description: 'Rename all files', execute }));
    await calls.settle('c6', { type: 'approve' }, alice);
    expect(response).toMatchObject({ status: 'failed', error: { code: 'tool_changed' } });

    const { response: later } = await parked('c7', 'rename_file');
    registry.unregister('rename_file');
    await calls.settle('c7', { type: 'approve' }, alice);
    expect(later.status).toBe('not_found');
    expect(ran).toEqual([]);
    expect(records).toMatchObject([{ approval: 'approved' }, { approval: 'approved' }]);
  });

  it('leaves an audit record where it is declined', async () => {
    const { calls, response } = await parked('c3');
    await calls.settle('c3', { type: 'decline', reason: 'Not on a Friday.' }, alice);
    expect(response).toMatchObject({ status: 'declined', error: { code: 'declined' } });
    expect(response.content).toContain('Not on a Friday.');
    expect(records).toMatchObject([{ callId: 'c3', outcome: 'declined', approval: 'declined' }]);
    expect(ran).toEqual([]);
  });

  it('does not exist for anybody else, and is answered once', async () => {
    const { calls, response } = await parked('c4');
    for (const stranger of [{ principal: 'mallory' }, {}]) {
      await expect(calls.settle('c4', { type: 'approve' }, stranger)).rejects.toMatchObject(
        refused,
      );
    }
    const result = { type: 'result', result: 'forged' } as const;
    await expect(calls.settle('c4', result, alice)).rejects.toMatchObject(refused);
    expect(response.status).toBe('awaiting_approval');
    await Promise.all([
      calls.settle('c4', { type: 'approve' }, alice),
      expect(calls.settle('c4', { type: 'approve' }, alice)).rejects.toMatchObject(refused),
    ]);
    expect(ran).toHaveLength(1);
    expect(records).toHaveLength(1);
  });

  it('takes the result of a tool that asks somebody else', async () => {
    const { calls, response } = await parked('c5', 'ask_person');
    expect(response.status).toBe('pending');
    await response.execute();
    expect(response).toMatchObject({ status: 'awaiting_result' });
    expect(records).toEqual([]);
    await calls.settle('c5', { type: 'result', result: { yes: true } }, alice);
    expect(response).toMatchObject({ status: 'executed', content: '{"yes":true}' });
    expect(records).toMatchObject([{ kind: 'person', outcome: 'executed', approval: 'none' }]);
  });
});
