import { LONGEST_TIMER_MS } from '../../internal';
import { defineTool } from '../../registry';
import { type Tool, ToolError } from '../../tool';
import { RunReference } from '../context';
import type { AskableAgent } from '../request';
import type { AgentDirectory } from './agent-directory';

/** The name of the tool that asks an agent. */
export function askToolName({ name, as = `ask_${name}` }: AskableAgent): string {
  return as;
}

/** The tool by which one agent asks another. */
export function askTool(asked: AskableAgent, directory: AgentDirectory, maxChars: number): Tool {
  const { name } = asked;
  const agent = directory.find(name);
  const described = asked.description ?? agent?.description;
  const tool = defineTool({
    name: askToolName(asked),
    description: described || `Ask the agent "${name}".`,
    input: {
      type: 'object',
      properties: {
        message: {
          type: 'string',
          minLength: 1,
          ...(Number.isFinite(maxChars) && { maxLength: maxChars }),
          description:
            'The question or task, with all that the agent must know: it cannot see this conversation.',
        },
      },
      required: ['message'],
      additionalProperties: false,
    },
    execute: () => undefined,
  });
  return {
    ...tool,
    kind: 'agent',
    asks: name,
    source: `The tool that asks the agent "${name}"`,
    traits: effectsOf(asked, directory),
    // Never asked again: the asked agent may have acted.
    isRepeatable: false,
    // The asking run stops it.
    timeoutMs: LONGEST_TIMER_MS,
    askGuards: async (context) => agent?.askGuards(context),
    invoke: async ({ args, context, callContext }) => {
      const run = RunReference.of(callContext);
      if (run === undefined) throw new ToolError('An agent can be asked only within a run.');
      await agent?.askGuards(context);
      const { message } = args as { readonly message: string };
      return run.asking.ask(run, name, context.call.id, message);
    },
  };
}

/** Getters, because the asked agent's tools may change. */
function effectsOf({ name }: AskableAgent, directory: AgentDirectory): Tool['traits'] {
  return {
    destructive: false,
    idempotent: false,
    get readOnly() {
      return directory.find(name)?.effects.readOnly ?? false;
    },
    get concurrencySafe() {
      return directory.find(name)?.effects.concurrencySafe ?? false;
    },
    get openWorld() {
      return directory.find(name)?.effects.openWorld ?? true;
    },
  };
}
