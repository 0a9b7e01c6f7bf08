import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from './app.module';

async function bootstrap(): Promise<void> {
  const app = await NestFactory.create<NestExpressApplication>(AppModule);
  app.useStaticAssets(join(__dirname, 'web')); // the page, built by Vite
  app.enableShutdownHooks(); // a stop stores the runs under way
  await app.listen(process.env.PORT ?? 3000);
}
void bootstrap();
