import { NestFactory } from '@nestjs/core';
import { AgentService, type RunStatus } from 'nestjs-agent';
import { parseArgs } from 'node:util';
import { ConsoleModule } from './console.module';
import { Conversation } from './conversation';
import { EventRenderer } from './terminal/event.renderer';
import { paletteFor } from './terminal/palette';
import { prompt } from './terminal/prompt';

const EXIT_CODE_OF_CTRL_C = 130;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { user: { type: 'string', default: 'alice' } },
    allowPositionals: true,
  });
  const app = await NestFactory.createApplicationContext(ConsoleModule, {
    logger: ['error', 'fatal'],
  });
  const { stdin, stdout } = process;
  const renderer = new EventRenderer((text) => stdout.write(text), paletteFor(stdout));
  const conversation = new Conversation(app.get(AgentService), values.user, (event) =>
    renderer.render(event),
  );
  const ask = (message: string) => askSafely(conversation, message);
  const interrupt = () => {
    if (!conversation.cancel()) process.exit(EXIT_CODE_OF_CTRL_C);
  };
  process.on('SIGINT', interrupt);

  if (positionals.length > 0) {
    process.exitCode = exitCodeOf(await ask(positionals.join(' ')));
  } else {
    stdout.write(`Logged in as ${values.user}. Ctrl-C stops an answer; "exit" ends.\n`);
    await prompt({
      input: stdin,
      output: stdout,
      onInterrupt: interrupt,
      onLine: async (line) => void (await ask(line)),
    });
  }
  await app.close();
}

/** A message that cannot be sent is told like any other failure: the conversation goes on. */
async function askSafely(conversation: Conversation, message: string): Promise<RunStatus> {
  try {
    return await conversation.ask(message);
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
