import { Body, Controller, HttpCode, Module, Post, Req, UseGuards } from '@nestjs/common';
import { AgentModule } from 'nestjs-agent';
import { HeaderGuard } from '../start/header.guard';

@Controller('pages')
export class PagesController {
  @HttpCode(200)
  @Post('info')
  info(@Body('page') page: string) {
    return { page, title: 'Home' };
  }

  @HttpCode(200)
  @Post('search')
  search(@Body('text') text: string) {
    return [text];
  }

  @Post('update')
  update(@Body('page') page: string) {
    return { page };
  }

  @Post('import')
  import(@Req() request: { file(): Promise<unknown> }) {
    return request.file();
  }
}

// #region reading
/** Routes that only read, although their method is POST. */
const reading = (...methods: string[]) =>
  Object.fromEntries(methods.map((method) => [method, { readOnly: true }]));
// #endregion reading

@Module({
  imports: [
    AgentModule.forRoot({
      decorators: [UseGuards(HeaderGuard)],
      // #region posts
      exposeControllers: [
        { controller: PagesController, routes: 'all', tools: reading('info', 'search') },
      ],
      permissions: { pages_import: 'deny' }, // takes a file, which no model has
      // #endregion posts
    }),
  ],
  controllers: [PagesController],
})
export class PostsModule {}
