import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

/** Keeps what programs send by OTLP over HTTP, as JSON. */
export class OtlpCollector {
  traces = '';
  metrics = '';
  private readonly server: Server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const body = Buffer.concat(chunks);
      const isZipped = incoming.headers['content-encoding'] === 'gzip';
      const text = (isZipped ? gunzipSync(body) : body).toString();
      if (incoming.url === '/v1/traces') this.traces += text;
      if (incoming.url === '/v1/metrics') this.metrics += text;
      response.end('{}');
    });
  });

  static async start(): Promise<OtlpCollector> {
    const collector = new OtlpCollector();
    await new Promise<void>((resolve) => collector.server.listen(0, '127.0.0.1', resolve));
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.close().closeAllConnections();
  }
}
