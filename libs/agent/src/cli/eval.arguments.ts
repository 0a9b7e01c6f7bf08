import { parseArgs } from 'node:util';
import type { EvaluateOptions } from '../evals';
import { defined, messageOf } from '../internal';
import { CommandError } from './command.error';

export const USAGE = `Usage: nestjs-agent eval [file] [options]

Asks the agent what the file says (agent.evals.json by default; JSON or YAML), and compares
its tool calls and answers with those that the file expects.

  --config <path>      what creates the application (dist/agent.evals.config.js by default)
  --model <name>       one of the module's models, in place of the file's
  --filter <text>      only cases with this text in their names
  --repeat <n>         attempts per case (1)
  --threshold <share>  the share of a case's attempts that must pass, such as 0.8 (1)
  --concurrency <n>    attempts at the same time (4)
  --timeout <seconds>  the time of one attempt (120)
  --max-cost <amount>  no more attempts once they cost so much
  --json <path>        writes the results as JSON
  --junit <path>       writes the results for build servers

Exit codes: 0 all cases passed, 1 some did not, 2 the evaluation could not run.
`;

/** The command's arguments. */
export interface EvalArguments {
  readonly file: string;
  readonly config: string;
  readonly json?: string;
  readonly junit?: string;
  readonly options: Pick<
    EvaluateOptions,
    'model' | 'filter' | 'repeat' | 'threshold' | 'concurrency' | 'timeoutMs' | 'maxCost'
  >;
}

const OPTIONS = {
  config: { type: 'string' },
  model: { type: 'string' },
  filter: { type: 'string' },
  repeat: { type: 'string' },
  threshold: { type: 'string' },
  concurrency: { type: 'string' },
  timeout: { type: 'string' },
  'max-cost': { type: 'string' },
  json: { type: 'string' },
  junit: { type: 'string' },
} as const;

/** @throws CommandError for unknown options, and for values that are no numbers */
export function evalArguments(args: readonly string[]): EvalArguments {
  const { values, positionals } = parsed(args);
  const [file = 'agent.evals.json', ...others] = positionals;
  if (others.length > 0)
    throw new CommandError(`One file at a time: leave out ${others.join(' ')}`);
  const { config = 'dist/agent.evals.config.js', json, junit, model, filter } = values;
  const timeout = numberIn('timeout', values.timeout);
  const options = defined({
    model,
    filter,
    repeat: numberIn('repeat', values.repeat),
    threshold: numberIn('threshold', values.threshold),
    concurrency: numberIn('concurrency', values.concurrency),
    timeoutMs: timeout === undefined ? undefined : timeout * 1_000,
    maxCost: numberIn('max-cost', values['max-cost']),
  });
  return defined({ file, config, json, junit, options });
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new CommandError(`${messageOf(error)}\n\n${USAGE}`);
  }
}

function numberIn(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (value.trim() !== '' && Number.isFinite(number)) return number;
  throw new CommandError(`--${name} must be a number, not "${value}"`);
}
