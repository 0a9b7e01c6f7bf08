import { Inject, Injectable } from '@nestjs/common';
import { buildFrontendTool, ToolCatalog, type Deliveries } from '../../invocation';
import { definitionProblems } from '../../registry';
import { schemaOf } from '../../schema';
import type { Tool, ToolDefinition } from '../../tool';
import { InvalidInputError, RUN_OPTIONS, type RunOptions } from '../request';

/** Makes a run's tools once its deliveries are there. */
export type ToolsOfRun = (deliveries: Deliveries) => readonly Tool[];

/** The field of the input that a client's tools came in. */
type ClientToolsField = 'frontendTools' | 'clientTools';

/** Tools that a client defines for one run, and carries out itself. */
@Injectable()
export class ClientTools {
  constructor(
    @Inject(RUN_OPTIONS) private readonly options: RunOptions,
    private readonly catalog: ToolCatalog,
  ) {}

  /** As `check`, for tools of a chat page: unknown arguments are refused at every depth. */
  ofPage(definitions: readonly ToolDefinition[] = [], ownTools?: readonly Tool[]): ToolsOfRun {
    this.check(definitions, ownTools, 'frontendTools');
    return this.built(
      definitions.map((each) => ({ ...each, input_schema: schemaOf(each.input_schema) })),
    );
  }

  /** As `check`, for tools of a client that keeps the conversation. */
  ofClient(definitions: readonly ToolDefinition[], ownTools?: readonly Tool[]): ToolsOfRun {
    this.check(definitions, ownTools, 'clientTools');
    return this.built(definitions);
  }

  /**
   * Checks definitions that a client sent.
   *
   * @param ownTools the server's tools for this run alone, which are checked as well
   * @param field where in the input the definitions stand
   * @throws InvalidInputError for a definition that is malformed or too large, for too many of them,
   * for two of one name, and for a name that a tool of the server has
   * @throws ToolDeclarationError where a preset names no argument of one of the server's
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
      throw unusable(field, `${whose} are switched off here.`);
    }
    const { maxCount, maxBytes } = limits;
    if (definitions.length > maxCount) {
      throw unusable(
        field,
        `"${field}" has ${definitions.length} definitions; at most ${maxCount} are accepted.`,
      );
    }
    const names = new Set<string>();
    for (const [index, definition] of definitions.entries()) {
      const where = `${field}/${index}`;
      if (Buffer.byteLength(JSON.stringify(definition)) > maxBytes) {
        throw unusable(where, `${where}: a definition has at most ${maxBytes} bytes.`);
      }
      const problems = definitionProblems(definition);
      if (problems.length > 0) throw unusable(where, `${where}: ${problems.join('; ')}`, problems);
      const { name } = definition;
      if (this.catalog.isTaken(name, { tools: ownTools })) {
        throw unusable(where, `${where}: the server has a tool named "${name}" already.`);
      }
      if (names.has(name)) throw unusable(where, `${where}: "${name}" is defined twice.`);
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

function unusable(field: string, message: string, problems?: readonly string[]): InvalidInputError {
  return new InvalidInputError(message, problems, undefined, field);
}
