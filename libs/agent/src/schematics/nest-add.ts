import { formatAsBefore } from './format-as-before';
import { importAgentModule } from './import-agent-module';

// The required parts of @angular-devkit/schematics: the Nest CLI includes it, this package does
// not.
interface Tree {
  read(path: string): { toString(): string } | null;
  overwrite(path: string, content: string): void;
}
interface Context {
  readonly logger: { info(message: string): void; warn(message: string): void };
}

/**
 * Runs on `nest add nestjs-agent` once the package is installed: imports `AgentModule` into
 * `app.module.ts`, or prints instructions if that file is missing or has an unusual shape.
 */
export function nestAdd({ sourceRoot = 'src' }: { readonly sourceRoot?: string }) {
  return (tree: Tree, { logger }: Context): Tree => {
    const path = `${sourceRoot}/app.module.ts`;
    const source = tree.read(path)?.toString();
    const changed = source === undefined ? undefined : importAgentModule(source);
    if (source === undefined || changed === undefined) {
      logger.warn(
        `Add AgentModule.forRoot() from 'nestjs-agent' to the imports of your root module; ${path} was left as it is.`,
      );
      return tree;
    }
    if (changed !== source) {
      const change = { before: source, after: changed };
      tree.overwrite(path, formatAsBefore(change, process.cwd(), path));
    }
    logger.info(
      `${path} imports AgentModule. Decorate a method with @Tool() to give it to the agent.`,
    );
    return tree;
  };
}
