import { NestFactory } from '@nestjs/core';
import { AgentService } from 'nestjs-agent';
import type { RunStatus } from 'nestjs-agent/types';
import { commandOf } from './command-line';
import { ConsoleModule } from './console.module';
import { Conversation } from './conversation';
import { EventRenderer } from './terminal/event.renderer';
import { paletteFor } from './terminal/palette';
import { printable } from './terminal/printable';
import { prompt } from './terminal/prompt';

const EXIT_CODE_OF_CTRL_C = 130;
/** Any other line is a message, which declines pending actions. */
const VERDICTS: ReadonlyMap<string, boolean> = new Map([
  ['y', true],
  ['yes', true],
  ['n', false],
  ['no', false],
]);

async function main(): Promise<void> {
  const { stdin, stdout, stderr } = process;
  const command = commandOf(process.argv.slice(2));
  if ('text' in command) {
    (command.isWanted ? stdout : stderr).write(command.text);
    process.exitCode = command.isWanted ? 0 : 1;
    return;
  }
  const { user, message } = command;
  const app = await NestFactory.createApplicationContext(ConsoleModule, {
    logger: ['error', 'fatal'],
  });
  if (process.env.ROLE === 'worker') {
    app.enableShutdownHooks([], { useProcessExit: true });
    stdout.write('Waiting for runs. Ctrl-C ends.\n');
    return;
  }
  const renderer = new EventRenderer((text) => stdout.write(text), paletteFor(stdout));
  const conversation = new Conversation(app.get(AgentService), user, (event) =>
    renderer.render(event),
  );
  const ask = (text: string) => safely(() => conversation.ask(text));
  const interrupt = () => {
    if (!conversation.cancel()) process.exit(EXIT_CODE_OF_CTRL_C);
  };
  process.on('SIGINT', interrupt);

  if (message !== '') {
    process.exitCode = exitCodeOf(await ask(message));
  } else {
    stdout.write(`Logged in as ${user}. Ctrl-C stops an answer; "exit" ends.\n`);
    await prompt({
      input: stdin,
      output: stdout,
      onInterrupt: interrupt,
      onLine: async (line) => {
        const verdict = conversation.awaited && VERDICTS.get(line.toLowerCase());
        await (verdict === undefined ? ask(line) : safely(() => conversation.decide(verdict)));
        const { awaited } = conversation;
        if (awaited) stdout.write(`Run ${printable(awaited.name)}? y or n\n`);
      },
    });
  }
  await app.close();
}

/** Reports a message that cannot be sent like any other failure: the conversation continues. */
async function safely(work: () => Promise<RunStatus>): Promise<RunStatus> {
  try {
    return await work();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 'failed';
  }
}

function exitCodeOf(status: RunStatus): number {
  if (status === 'cancelled') return EXIT_CODE_OF_CTRL_C;
  return status === 'failed' ? 1 : 0;
}

void main();
