import 'reflect-metadata';
import { type INestApplicationContext, Module, type Type as ClassType } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../../../../apps/demo/src/app.module';
import { AgentModule, offline, ToolRegistry } from '../../src';
import { FORTY_ROUTES } from './fixtures/forty-routes';

/** Bytes before schemas were short: with whole expressions, and branches that refuse nothing. */
const BEFORE = { demo: 5_804, routes: 35_414 };

/** The part of every model call that describes the tools. */
function bytesOf(app: INestApplicationContext): { readonly count: number; readonly bytes: number } {
  const told = app
    .get(ToolRegistry)
    .list()
    .map(({ name, description, input_schema }) => ({ name, description, input_schema }));
  return { count: told.length, bytes: Buffer.byteLength(JSON.stringify(told)) };
}

@Module({
  imports: [AgentModule.forRoot({ model: offline() })],
  controllers: [...FORTY_ROUTES],
})
class RoutesModule {}

async function measure(module: ClassType<unknown>, before: number): Promise<string> {
  const app = await NestFactory.create(module, { logger: false });
  await app.init();
  const { count, bytes } = bytesOf(app);
  await app.close();
  const ratio = before === 0 ? '' : ` (${((bytes / before) * 100).toFixed(0)} % of ${before})`;
  return `${String(count).padStart(3)} tools   ${bytes} bytes${ratio}`;
}

async function main(): Promise<void> {
  process.stdout.write(`demo            ${await measure(AppModule, BEFORE.demo)}\n`);
  process.stdout.write(`forty routes    ${await measure(RoutesModule, BEFORE.routes)}\n`);
}

void main();
