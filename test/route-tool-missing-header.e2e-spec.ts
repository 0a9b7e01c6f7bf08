import {
  BadRequestException,
  Controller,
  ForbiddenException,
  Get,
  Headers,
  Logger,
  Query,
} from '@nestjs/common';
import { Tool } from 'nestjs-agent';
import { type AdapterName, RouteToolApplication } from './route-tools/route-tool-application';

@Controller('posts')
class PostsController {
  @Tool({ description: 'List posts' })
  @Get()
  list(@Headers() headers: Record<string, string>, @Query('page') page?: string): string[] {
    if (page === '0') throw new BadRequestException('There is no page 0');
    if (page === '1') throw new BadRequestException('No client "x-other"');
    if (page === '2') throw new ForbiddenException();
    if (headers['x-tenant-id'] === undefined) {
      throw new BadRequestException('The tenant is missing in the header X-Tenant-Id');
    }
    return ['first'];
  }
}

const CHAT = { headers: { authorization: 'Bearer ada', 'x-tenant-id': 'acme', 'x-other': '1' } };

describe.each<AdapterName>(['express', 'fastify'])(
  'a route that asks for a header, on %s',
  (adapter) => {
    let tools: RouteToolApplication;
    let warn: jest.SpyInstance;

    beforeEach(async () => {
      tools = await RouteToolApplication.start({ adapter, controllers: [PostsController] });
      warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    });

    afterEach(async () => {
      warn.mockRestore();
      await tools.close();
    });

    it('is told of in the log, once, if the chat request has it', async () => {
      for (let call = 0; call < 2; call += 1) {
        const { error } = await tools.call('posts_list', {}, CHAT);
        expect(error?.message).toContain('400 Bad Request: The tenant is missing');
      }
      expect(warn.mock.calls).toEqual([
        [
          expect.stringMatching(
            /^GET \/posts answered 400 to the tool "posts_list"\. Not forwarded from the chat request: x-tenant-id\. If .*"forwardHeaders"/,
          ),
        ],
      ]);
    });

    it('is told of in the log as refused, whatever another error has named before', async () => {
      await tools.call('posts_list', { page: '1' }, CHAT);
      await tools.call('posts_list', { page: '2' }, CHAT);
      expect(warn.mock.calls.flat()).toEqual([
        expect.stringContaining(
          'answered 400 to the tool "posts_list". Not forwarded from the chat request: x-other.',
        ),
        expect.stringContaining(
          'answered 403 to the tool "posts_list". Not forwarded from the chat request: x-tenant-id, x-other.',
        ),
      ]);
    });

    it('is not told of if the answer names no header of the chat request', async () => {
      await tools.call('posts_list', { page: '0' }, CHAT);
      await tools.call('posts_list', {}, { headers: {} });
      await tools.call('posts_list');
      expect(warn).not.toHaveBeenCalled();
    });
  },
);
