import { type ToolList } from '../../invocation';
import type { ToolRegistry } from '../../registry';
import { assertToolName, InvalidOptionsError, type Tool } from '../../tool';
import { type AskableAgent, type RunOptions } from '../request';
import type { AgentDirectory } from './agent-directory';
import { askTool, askToolName } from './ask-tool';

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
