import { type INestApplication, VersioningType } from '@nestjs/common';

// #region conventions
export function prepare(app: INestApplication): void {
  app.setGlobalPrefix('api');
  app.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' });
  app.enableCors({
    origin: 'https://shop.example.com',
    credentials: true,
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
  });
}
// #endregion conventions
