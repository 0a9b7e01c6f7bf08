import { Logger } from '@nestjs/common';
import { ModelServer } from '../../../libs/agent/src/model/fixtures/model.server';

/** A server that each test of a suite starts anew; what it refuses is not logged. */
export function serverForEachTest(): ModelServer {
  const server = new ModelServer();
  beforeAll(() => Logger.overrideLogger(false));
  beforeEach(() => server.listen());
  afterEach(() => server.stop());
  return server;
}
