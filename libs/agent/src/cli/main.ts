import { InvalidEvalsError } from '../evals';
import { printable, thrownText } from '../internal';
import { CommandError } from './command.error';
import { evalArguments, USAGE } from './eval.arguments';
import { evalCommand } from './eval.command';

/** Every case passed. */
const PASSED = 0;
/** A case did not pass. */
const FAILED = 1;
/** The command could not start, or could not write its reports. */
const UNUSABLE = 2;

/** Runs the command. @returns its exit code */
export async function main(given: readonly string[]): Promise<number> {
  const [command, ...rest] = given;
  if (given.length === 0 || given.includes('--help')) {
    process.stdout.write(USAGE);
    return given.length === 0 ? UNUSABLE : PASSED;
  }
  try {
    if (command !== 'eval') throw new CommandError(`There is no command "${command}".\n${USAGE}`);
    return (await evalCommand(evalArguments(rest))) ? PASSED : FAILED;
  } catch (error) {
    process.stderr.write(`${printable(messageOf(error), '\n')}\n`);
    return UNUSABLE;
  }
}

/** Invalid input as its message, any other error with its stack. */
function messageOf(error: unknown): string {
  if (error instanceof InvalidEvalsError) return error.problems.map(asFlag).join('\n');
  if (error instanceof CommandError) return error.message;
  return thrownText(error);
}

function asFlag(problem: string): string {
  return problem.replace(
    /^options\.(\w+)/,
    (_, name: string) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
  );
}
