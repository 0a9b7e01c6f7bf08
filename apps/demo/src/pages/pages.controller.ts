import { createReadStream } from 'node:fs';
import { Controller, Get, Header, Req, StreamableFile } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request } from 'express';
import { DEMO_FILES, type DemoPath, demoFile, PAGE_POLICY } from './demo-pages';

/** The landing page, the log-in and the dashboard with the agent beside it. */
@ApiExcludeController()
@Controller()
export class PagesController {
  @Get(Object.keys(DEMO_FILES))
  @Header('Content-Security-Policy', PAGE_POLICY)
  @Header('X-Content-Type-Options', 'nosniff')
  @Header('Referrer-Policy', 'no-referrer')
  @Header('Cache-Control', 'no-cache')
  page(@Req() request: Request): StreamableFile {
    // As Express matches routes: without a slash at the end, in upper or lower case.
    const path = request.path.replace(/(.)\/$/, '$1').toLowerCase() as DemoPath;
    const { file, mediaType } = DEMO_FILES[path];
    return new StreamableFile(createReadStream(demoFile(file)), { type: mediaType });
  }
}
