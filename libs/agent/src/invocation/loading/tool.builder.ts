import { Injectable } from '@nestjs/common';
import type { DiscoveredTool } from '../../discovery';
import { type Tool, ToolDeclarationError } from '../../tool';
import { GuardProbe } from '../enhancers';
import { PresetRules, ProviderInvoker } from '../provider';
import { RouteInvoker } from '../route';
import { optionProblems } from '../../registry';

const ENDLESS =
  'one of its schemas contains itself, or is nested too deeply. Refer to the repeated part: name a class with type: () => Node, or use $ref with getSchemaPath and @ApiExtraModels.';

/** Makes a tool of a declared method: of a provider or of a route. */
@Injectable()
export class ToolBuilder {
  constructor(
    private readonly providers: ProviderInvoker,
    private readonly routes: RouteInvoker,
    private readonly guards: GuardProbe,
    private readonly presets: PresetRules,
  ) {}

  /**
   * Why routes cannot be called; `undefined` where they can.
   *
   * @param isLate whether the routes were found after Nest had bound those of the application
   */
  unavailability(isLate: boolean): string | undefined {
    return this.routes.unavailability(isLate);
  }

  /** @throws ToolDeclarationError naming class and method */
  build(discovered: DiscoveredTool): Tool {
    assertOptions(discovered);
    return this.guards.withGuards(this.unasked(discovered), discovered);
  }

  private unasked(discovered: DiscoveredTool): Tool {
    try {
      switch (discovered.kind) {
        case 'provider':
          return this.providers.buildProviderTool(discovered);
        case 'route':
          return this.presets.complete(this.routes.buildRouteTool(discovered));
      }
    } catch (error) {
      if (!(error instanceof RangeError && error.message.includes('call stack'))) throw error;
      throw new ToolDeclarationError(`${discovered.source}: ${ENDLESS}`, { cause: error });
    }
  }
}

/**
 * Refuses wrong options of `@Tool` and `@Toolkit`.
 *
 * @throws ToolDeclarationError with every problem
 */
export function assertOptions({
  source,
  options,
  toolkit,
}: Pick<DiscoveredTool, 'source' | 'options' | 'toolkit'>): void {
  const problems = [
    ...(toolkit ? optionProblems('toolkit', toolkit).map(inDecorator('Toolkit')) : []),
    ...optionProblems('tool', options).map(inDecorator('Tool')),
  ];
  if (problems.length > 0) throw new ToolDeclarationError(`${source}: ${problems.join('; ')}`);
}

/** `timeoutMs must be …` reads as its author wrote it: `@Tool({ timeoutMs }) must be …`. */
function inDecorator(decorator: string): (problem: string) => string {
  return (problem) => problem.replace(/^(\S+)/, `@${decorator}({ $1 })`);
}
