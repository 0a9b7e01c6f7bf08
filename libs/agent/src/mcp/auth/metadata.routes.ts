import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { MCP_SETTINGS, type McpServerSettings } from '../settings';
import { isMetadataPath, resourceMetadata } from './resource-metadata';

/** Browsers send `MCP-Protocol-Version` with the request, so they ask for leave first. */
const HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*',
  'cache-control': 'public, max-age=3600',
};

/**
 * Serves the metadata document on the HTTP adapter itself: outside prefix, versions and guards, as
 * a client reads it before it has a token.
 */
@Injectable()
export class MetadataRoutes {
  constructor(
    private readonly host: HttpAdapterHost,
    @Inject(MCP_SETTINGS) private readonly settings: McpServerSettings,
  ) {}

  /**
   * The first server of an application serves the path without a suffix. As middleware: the path is
   * compared as it is, while a router would read characters of it as a pattern.
   */
  install(): void {
    const { auth } = this.settings;
    const { httpAdapter } = this.host;
    if (auth === undefined || !httpAdapter) return;
    const body = JSON.stringify(resourceMetadata(auth));
    httpAdapter.use((request: IncomingMessage, response: ServerResponse, next: () => void) => {
      const { method = '', url = '' } = request;
      if (!isMetadataPath(url, auth)) return next();
      if (method === 'OPTIONS') return response.writeHead(204, HEADERS).end();
      if (method !== 'GET' && method !== 'HEAD') return next();
      response.writeHead(200, { ...HEADERS, 'content-type': 'application/json; charset=utf-8' });
      response.end(method === 'GET' ? body : undefined);
    });
  }
}
