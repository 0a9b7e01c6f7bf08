import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';

/** Serves the OpenAPI description of the platform and its agent at `/docs`. */
export function serveApiDocs(app: INestApplication): void {
  const config = new DocumentBuilder()
    .setTitle('Developer platform')
    .setDescription('The routes of the platform, and of the agent that calls them.')
    .addBearerAuth()
    .addSecurityRequirements('bearer')
    .build();
  SwaggerModule.setup('docs', app, () => SwaggerModule.createDocument(app, config));
}
