import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import {
  aFunction,
  either,
  isObject,
  ofKind,
  optionsOf,
  problemsOf,
  recordOf,
  tokenPrices,
} from '../checks';
import type { EvalConfig } from '../evals';
import { messageOf } from '../internal';
import { CommandError } from './command.error';

const headers = ofKind(
  'headers with their values, or a function that answers them',
  (value) => isObject(value) && Object.values(value).every((each) => typeof each === 'string'),
);
const CONFIG = optionsOf<EvalConfig>({
  app: aFunction,
  callers: recordOf(either((value) => typeof value === 'function', headers)),
  prices: recordOf(tokenPrices),
});

/**
 * Loads the application's configuration, the default export of a module. `require` also loads ES
 * modules, and TypeScript if Node was started with a compiler.
 *
 * @throws CommandError if the module is missing or throws, or its export is no configuration
 */
export function loadConfig(path: string): EvalConfig {
  const file = resolve(path);
  if (!existsSync(file)) {
    throw new CommandError(
      `${path} does not exist. Build the application, or name its configuration with --config.`,
    );
  }
  const config = defaultOf(loaded(path, file));
  const problems = problemsOf(CONFIG, config, 'the default export');
  const missing = problems.length === 0 && (config as Partial<EvalConfig>).app === undefined;
  const all = missing ? ['the default export needs app'] : problems;
  if (all.length > 0) throw new CommandError(all.map((each) => `${path}: ${each}`).join('\n'));
  return config as EvalConfig;
}

function loaded(path: string, file: string): unknown {
  try {
    return createRequire(file)(file);
  } catch (error) {
    const hint = /\.[cm]?ts$/.test(path)
      ? '; name the compiled file, or start Node with a compiler'
      : '';
    throw new CommandError(`${path} cannot be loaded: ${messageOf(error)}${hint}`, {
      cause: error,
    });
  }
}

function defaultOf(module: unknown): unknown {
  return isObject(module) && 'default' in module ? module['default'] : module;
}
