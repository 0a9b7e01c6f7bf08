import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module';

/** Start as many as you need; clients do not reach them. */
async function bootstrap(): Promise<void> {
  const app = await NestFactory.create(AppModule.as('worker'));
  app.enableShutdownHooks(); // a stop gives its runs back to the queue
  await app.init();
}
void bootstrap();
