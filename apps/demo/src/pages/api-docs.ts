import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';

/** The OpenAPI description of the platform and its agent. */
export function apiDocument(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setTitle('Developer platform')
    .setDescription('The routes of the platform, and of the agent that calls them.')
    .addBearerAuth()
    .addSecurityRequirements('bearer')
    .build();
  return SwaggerModule.createDocument(app, config);
}

/** Serves it at `/docs`. */
export function serveApiDocs(app: INestApplication): void {
  SwaggerModule.setup('docs', app, () => apiDocument(app));
}
