import { Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { MCP_SETTINGS, type McpServerSettings } from '../settings';
import { metadataPaths, resourceMetadata } from './resource-metadata';

/** The key of an adapter's list of paths that servers of the application already use. */
const TAKEN = Symbol('nestjs-agent:mcp-metadata');

interface Adapter {
  [TAKEN]?: Set<string>;
  get(path: string, handler: (request: unknown, response: unknown) => unknown): unknown;
  setHeader(response: unknown, name: string, value: string): unknown;
  reply(response: unknown, body: string, status: number): unknown;
}

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

  /** The first server of an application serves the path without a suffix. */
  install(): void {
    const { auth } = this.settings;
    const adapter = this.host.httpAdapter as unknown as Adapter | undefined;
    if (auth === undefined || adapter === undefined) return;
    const body = JSON.stringify(resourceMetadata(auth));
    const taken = (adapter[TAKEN] ??= new Set());
    for (const path of metadataPaths(auth)) {
      if (taken.has(path)) continue;
      taken.add(path);
      adapter.get(path, (_, response) => {
        adapter.setHeader(response, 'content-type', 'application/json; charset=utf-8');
        adapter.setHeader(response, 'access-control-allow-origin', '*');
        adapter.setHeader(response, 'cache-control', 'public, max-age=3600');
        return adapter.reply(response, body, 200);
      });
    }
  }
}
