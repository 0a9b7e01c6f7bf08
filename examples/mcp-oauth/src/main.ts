import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module';
import { startLoginServer } from './login-server';

async function bootstrap(): Promise<void> {
  startLoginServer(); // remove it where you have an authorization server
  const app = await NestFactory.create(AppModule);
  app.enableShutdownHooks();
  await app.listen(process.env.PORT ?? 3000);
}
void bootstrap();
