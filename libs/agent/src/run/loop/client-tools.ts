import { buildFrontendTool, type Deliveries, type ToolCatalog } from '../../invocation';
import { definitionProblems } from '../../registry';
import { schemaOf } from '../../schema';
import type { Tool, ToolDefinition } from '../../tool';
import { invalidField, type RunOptions } from '../request';

/** Creates a run's tools with its deliveries. */
export type ToolsOfRun = (deliveries: Deliveries) => readonly Tool[];

/** The input field with the client's tools. */
type ClientToolsField = 'frontendTools' | 'clientTools';

/** Tools that a client defines for one run and executes itself. */
export class ClientTools {
  constructor(
    private readonly options: RunOptions,
    private readonly catalog: ToolCatalog,
  ) {}

  /** Checks tools of a chat page. They refuse unknown arguments at every depth. */
  ofPage(definitions: readonly ToolDefinition[] = [], ownTools?: readonly Tool[]): ToolsOfRun {
    this.check(definitions, ownTools, 'frontendTools');
    return this.restored(definitions);
  }

  /** The chat page's tools of a run from another process, which has checked them. */
  restored(definitions: readonly ToolDefinition[] = []): ToolsOfRun {
    return this.built(
      definitions.map((each) => ({ ...each, input_schema: schemaOf(each.input_schema) })),
    );
  }

  /** Checks tools of a client that stores the conversation. */
  ofClient(definitions: readonly ToolDefinition[], ownTools?: readonly Tool[]): ToolsOfRun {
    this.check(definitions, ownTools, 'clientTools');
    return this.built(definitions);
  }

  /**
   * Checks definitions that a client sent.
   *
   * @param ownTools the server's own tools of this run, checked as well
   * @param field the input field with the definitions
   * @throws InvalidInputError for a definition that is malformed or too large, too many
   * definitions, duplicate names, and names of the server's tools
   * @throws ToolDeclarationError for a preset of an unknown argument
   */
  private check(
    definitions: readonly ToolDefinition[],
    ownTools: readonly Tool[] = [],
    field: ClientToolsField,
  ): void {
    this.catalog.assertTools(ownTools);
    if (definitions.length === 0) return;
    const limits = this.options.frontendTools;
    if (limits === false) {
      const whose = field === 'frontendTools' ? 'Frontend tools' : 'Tools of the client';
      throw invalidField(field, `${whose} are disabled.`);
    }
    const { maxCount, maxBytes } = limits;
    if (definitions.length > maxCount) {
      throw invalidField(
        field,
        `"${field}" has ${definitions.length} definitions; at most ${maxCount} are accepted.`,
      );
    }
    const names = new Set<string>();
    for (const [index, definition] of definitions.entries()) {
      const where = `${field}/${index}`;
      if (Buffer.byteLength(JSON.stringify(definition)) > maxBytes) {
        throw invalidField(where, `${where}: a definition has at most ${maxBytes} bytes.`);
      }
      const problems = definitionProblems(definition);
      if (problems.length > 0)
        throw invalidField(where, `${where}: ${problems.join('; ')}`, problems);
      const { name } = definition;
      if (this.catalog.isTaken(name, { tools: ownTools })) {
        throw invalidField(where, `${where}: the server already has a tool named "${name}".`);
      }
      if (names.has(name)) throw invalidField(where, `${where}: "${name}" is defined twice.`);
      names.add(name);
    }
  }

  private built(definitions: readonly ToolDefinition[]): ToolsOfRun {
    const limits = this.options.frontendTools;
    if (limits === false) return () => [];
    return (deliveries) =>
      definitions.map((each) => buildFrontendTool(each, deliveries, limits.timeoutMs));
  }
}
