import { LONGEST_TIMER_MS } from '../../internal';
import { defineTool, type ToolRegistry } from '../../registry';
import { type Tool, ToolError, assertToolName, InvalidOptionsError } from '../../tool';
import { RunReference } from '../context';
import type { AskableAgent, RunOptions } from '../request';
import type { AgentDirectory } from './agent-directory';
import type { ToolList } from '../../invocation';

/** The tools by which one agent asks others. */
export class AskTools implements ToolList {
  private tools: readonly Tool[] | undefined;

  constructor(
    private readonly options: RunOptions,
    private readonly directory: AgentDirectory,
    private readonly registry: ToolRegistry,
  ) {}

  /**
   * @throws InvalidOptionsError for an unknown agent, for agents that ask each other in a circle, and
   * for a tool name that is taken
   */
  check(): void {
    const { name, agents } = this.options;
    const problems = agents.flatMap((asked) => this.problemsOf(asked));
    if (problems.length === 0) return;
    throw new InvalidOptionsError(
      problems.map((problem) => `options.agents of the agent "${name}" ${problem}`),
    );
  }

  list(): readonly Tool[] {
    return (this.tools ??= this.options.agents.map((asked) =>
      askTool(asked, this.directory, this.options.messageChars),
    ));
  }

  find(name: string): Tool | undefined {
    return this.list().find(({ definition }) => definition.name === name);
  }

  private problemsOf(asked: AskableAgent): readonly string[] {
    const tool = askToolName(asked);
    assertToolName(tool, `options.agents of the agent "${this.options.name}"`);
    const own = this.registry.find(tool);
    const isTwice = this.options.agents.filter((other) => askToolName(other) === tool).length > 1;
    const circle = this.circleFrom(asked.name, [this.options.name]);
    return [
      ...(this.directory.find(asked.name)
        ? []
        : [`names an unknown agent "${asked.name}"; there are ${this.directory.names.join(', ')}`]),
      ...(own ? [`needs the tool name "${tool}", which ${own.source} has; set "as"`] : []),
      ...(isTwice ? [`has the tool name "${tool}" twice; set "as"`] : []),
      ...(circle ? [`asks in a circle: ${circle.join(' asks ')}`] : []),
    ];
  }

  /** The path from an agent back to itself, if there is one. */
  private circleFrom(name: string, path: readonly string[]): readonly string[] | undefined {
    if (path.includes(name)) return name === path[0] ? [...path, name] : undefined;
    const next = this.directory.find(name)?.asks ?? [];
    for (const asked of next) {
      const circle = this.circleFrom(asked.name, [...path, name]);
      if (circle) return circle;
    }
    return undefined;
  }
}

function askToolName({ name, as = `ask_${name}` }: AskableAgent): string {
  return as;
}

/** The tool by which one agent asks another. */
function askTool(asked: AskableAgent, directory: AgentDirectory, maxChars: number): Tool {
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
