import { defaultActiveGroups, selectGroups } from '../../../registry';
import { ToolError, type Tool, type ToolInvocation } from '../../../tool';
import type { AgentTools } from '../agent-tools';
import { builtinTool } from './builtin-tool';

const RESET_EQUIPPED_TOOLS = 'reset_equipped_tools';

/** Lets the model set the active groups of its session. */
export function resetEquippedTools(registered: AgentTools): Tool {
  const selectable = registered.groups().filter((group) => group.selectable === true);
  const names = selectable.map(({ name }) => name);
  return builtinTool(
    {
      name: RESET_EQUIPPED_TOOLS,
      description: [
        'Choose which groups of further tools you have. The named groups replace the active ones: all others become inactive. Available groups:',
        ...selectable.map(({ name, description }) => `${name}: ${description}`),
      ].join('\n'),
      input_schema: {
        type: 'object',
        properties: {
          to_activate: {
            type: 'array',
            description: 'The active groups from the next step on',
            items: { type: 'string', enum: names },
            uniqueItems: true,
          },
        },
        required: ['to_activate'],
      },
    },
    (invocation) => activate(registered, invocation),
    { idempotent: true, permission: 'allow' },
  );
}

async function activate(
  registered: AgentTools,
  { args, callContext }: ToolInvocation,
): Promise<string> {
  if (callContext.activateGroups === undefined) {
    throw new ToolError('Groups cannot be changed without a session.');
  }
  const { to_activate: chosen } = args as { readonly to_activate: readonly string[] };
  const groups = registered.groups();
  const before = callContext.activeGroups ?? defaultActiveGroups(groups);
  const active = selectGroups(groups, before, chosen);
  await callContext.activateGroups(active);
  const equipped = registered
    .tools()
    .filter(({ group }) => group !== undefined && chosen.includes(group))
    .map(({ definition }) => definition.name);
  return equipped.length === 0
    ? 'No further groups are active.'
    : `Active from the next step on: ${equipped.join(', ')}.`;
}
