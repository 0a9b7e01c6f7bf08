import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module';
import { welcome } from './welcome';

const HOST = '127.0.0.1';

async function main(): Promise<void> {
  const app = await NestFactory.create(AppModule);
  app.enableShutdownHooks();
  await app.listen(Number(process.env.PORT || 3000), HOST);
  process.stdout.write(welcome(await app.getUrl()));
}

void main();
