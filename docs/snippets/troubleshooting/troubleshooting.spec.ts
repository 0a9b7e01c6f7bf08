import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Controller, Get, Injectable, UseGuards, type ModuleMetadata } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { AgentModule, Tool, type ToolOptions, ToolParam } from 'nestjs-agent';
import { MissingPackageError } from 'nestjs-agent/sql';
import { guideRows } from '../../../test/support/guide-text';

@Injectable()
class Keys {}

@Injectable()
class JwtAuthGuard {
  constructor(readonly keys: Keys) {}

  canActivate(): boolean {
    return true;
  }
}

@Injectable()
class SilentTools {
  @Tool()
  silent(): void {}
}

@Injectable()
class FindTools {
  @Tool({ description: 'Find' })
  find(): void {}
}

@Injectable()
class OtherTools {
  @Tool({ description: 'Find otherwise' })
  find(): void {}
}

@Injectable()
class NoteTools {
  @Tool({ description: 'Save' })
  save(_note: string): void {}
}

@Injectable()
class UntypedTools {
  @Tool({ description: 'Save' })
  save(@ToolParam('note') note: string): string {
    return note;
  }
}
Reflect.deleteMetadata('design:paramtypes', UntypedTools.prototype, 'save');

@Controller('notes')
class NotesController {
  @Tool({ description: 'Help' })
  helper(): void {}
}

@Controller('elsewhere')
class ElsewhereController {
  @Get()
  list(): void {}
}

@Injectable()
class MisspeltTools {
  @Tool({ description: 'Pay', permision: 'ask' } as ToolOptions)
  pay(): void {}
}

@Injectable()
class WrongTools {
  @Tool({ description: 'Pay', timeoutMs: -1 })
  pay(): void {}
}

const wrong = (options: object): ModuleMetadata => ({ imports: [AgentModule.forRoot(options)] });
const tools = (metadata: ModuleMetadata): ModuleMetadata => ({ ...wrong({}), ...metadata });
const support = (options: object) => AgentModule.forFeature({ name: 'support', ...options });

/** What goes wrong, in the order of the page's table. */
const MISTAKES: readonly (() => ModuleMetadata)[] = [
  () => wrong({ sistemPrompt: 'You help.' }),
  () => wrong({ maxSteps: 0 }),
  () => wrong({ decorators: [JwtAuthGuard] }),
  () => wrong({ decorators: [UseGuards(JwtAuthGuard)] }),
  () => ({ imports: [support({})] }),
  () => ({ imports: [AgentModule.forRoot(), AgentModule.forRoot({ maxSteps: 2 })] }),
  () => ({ imports: [AgentModule] }),
  () => tools({ providers: [SilentTools] }),
  () => tools({ providers: [FindTools, OtherTools] }),
  () => tools({ providers: [NoteTools] }),
  () => tools({ providers: [UntypedTools] }),
  () => tools({ providers: [MisspeltTools] }),
  () => tools({ providers: [WrongTools] }),
  () => tools({ controllers: [NotesController] }),
  () => wrong({ exposeControllers: [ElsewhereController] }),
  () => ({ imports: [AgentModule.forRoot(), support({ tools: { include: ['order_*'] } })] }),
  () => {
    throw new MissingPackageError(['ioredis'], 'redisBus()');
  },
];

async function problemOf(mistake: () => ModuleMetadata): Promise<string> {
  try {
    const testing = await Test.createTestingModule(mistake()).compile();
    await testing.createNestApplication({ logger: false }).init();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return 'It started.';
}

const textsOf = (heading: string): readonly string[] =>
  guideRows('troubleshooting', (each) => each === heading)
    .slice(2)
    .flatMap(([cell = '']) => cell.split('`, `'))
    .map((text) => text.replaceAll('`', ''));

/** A quoted text as a pattern: `…` matches anything. */
const patternOf = (text: string): RegExp =>
  new RegExp(
    `^${text
      .split('…')
      .map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'))
      .join('[^]*')}`,
  );

describe('the page of errors', () => {
  it('quotes what stops the boot', async () => {
    const texts = textsOf('The application does not start');
    expect(texts).toHaveLength(MISTAKES.length);
    for (const [index, mistake] of MISTAKES.entries()) {
      expect(await problemOf(mistake)).toMatch(patternOf(texts[index] ?? ''));
    }
  });

  it.each(['Warnings at boot', 'A request is refused'])(
    'quotes texts of the library: %s',
    (heading) => {
      const folder = join(__dirname, '../../../libs/agent/src');
      const sources = readdirSync(folder, { encoding: 'utf8', recursive: true })
        .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
        .map((file) => readFileSync(join(folder, file), 'utf8'));
      const texts = textsOf(heading).filter((text) => text !== 'Forbidden resource');
      expect(texts.length).toBeGreaterThan(4);
      const parts = texts.flatMap((text) => text.split('…').map((part) => part.trim()));
      const unknown = parts.filter((part) => !sources.some((source) => source.includes(part)));
      expect(unknown).toEqual([]);
    },
  );
});
