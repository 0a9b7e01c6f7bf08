import compress from '@fastify/compress';
import type { INestApplication, NestInterceptor } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import compression from 'compression';
import { map } from 'rxjs';

/** Wraps every answer in an envelope, as many applications do. */
export const wraps: NestInterceptor = {
  intercept: (_context, next) => next.handle().pipe(map((data: unknown) => ({ data }))),
};

/** Compresses every answer, however short. */
export async function compressAll(app: INestApplication): Promise<void> {
  if (app.getHttpAdapter().getType() === 'express') app.use(compression({ threshold: 0 }));
  else await (app as NestFastifyApplication).register(compress, { threshold: 0 });
}
