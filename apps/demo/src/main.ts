import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module';
import { serveApiDocs } from './pages/api-docs';
import { startFailure } from './start-failure';
import { welcome } from './welcome';

const HOST = process.env.HOST || '127.0.0.1';

async function main(): Promise<void> {
  const app = await NestFactory.create(AppModule);
  // A stop that stored everything exits with success, for process managers.
  app.enableShutdownHooks([], { useProcessExit: true });
  serveApiDocs(app);
  await app.listen(Number(process.env.PORT || 3000), HOST);
  process.stdout.write(welcome(await app.getUrl()));
}

main().catch((error: unknown) => {
  const failure = startFailure(error);
  if (failure === undefined) throw error;
  process.stderr.write(failure, () => process.exit(1));
});
