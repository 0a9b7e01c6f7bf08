import {
  Body,
  Controller,
  Get,
  Param,
  ParseIntPipe,
  type PipeTransform,
  Post,
  Query,
  UsePipes,
} from '@nestjs/common';
import * as v from 'valibot';
import * as z from 'zod';
import { routeParametersOf } from './route-parameter';

class OrderDto {}

@Controller()
class OrdersController {
  @Post()
  create(@Param('id') _id: string, @Body() _order: OrderDto): void {}
}

describe('the parameters of a route', () => {
  it('have no known type where their class is imported by `import type`', () => {
    // As the compiler records it then.
    const { prototype } = OrdersController;
    Reflect.defineMetadata('design:paramtypes', [String, Function], prototype, 'create');
    expect(routeParametersOf(OrdersController, 'create')).toMatchObject([
      { place: 'path', type: String },
      { place: 'body', type: Object },
    ]);
  });

  describe('with pipes in @UsePipes()', () => {
    class Pipe implements PipeTransform {
      constructor(
        readonly name: string,
        readonly schema: unknown = z.object({ name: z.string() }),
      ) {}
      transform(value: unknown): unknown {
        return value;
      }
    }
    /** As an application limits a pipe to the path. */
    class IdPipe extends ParseIntPipe {}

    @Controller('cats/:id')
    @UsePipes(new Pipe('class'))
    class CatsController {
      @Post()
      @UsePipes(new Pipe('method'), IdPipe, new Pipe('text', z.uuid()))
      change(@Param('id') _id: string, @Body(new Pipe('own')) _cat: object): void {}

      @Get()
      @UsePipes(new Pipe('method'))
      find(@Query() _query: object, @Query('page') _page: string): void {}

      @Get(':page')
      @UsePipes(new Pipe('method'))
      page(@Param('page') _page: string): void {}

      @Post('both')
      @UsePipes(new Pipe('method'))
      both(@Query() _query: object, @Body() _cat: object): void {}

      @Post('unread')
      @UsePipes(
        new Pipe('date', z.object({ at: z.date() })),
        new Pipe('valibot', v.object({ name: v.string() })),
        new Pipe('scalars', z.union([z.string(), z.number()])),
        new Pipe('union', z.union([z.string(), z.object({ name: z.string() })])),
      )
      unread(@Body() _cat: object): void {}
    }
    class SmallCatsController extends CatsController {}

    const pipesOf = (method: string, controller = CatsController) =>
      routeParametersOf(controller, method).map(({ pipes }) =>
        pipes.map((pipe) => (pipe as Pipe).name),
      );

    it('have the method’s own for the single whole parameter', () => {
      expect(pipesOf('change')).toEqual([[], ['method', 'own']]);
      expect(pipesOf('change', SmallCatsController)).toEqual([[], ['method', 'own']]);
      expect(pipesOf('find')).toEqual([['method'], []]);
      expect(pipesOf('page')).toEqual([[]]);
    });

    it('have none where a pipe may be written for another parameter', () => {
      expect(pipesOf('both')).toEqual([[], []]);
    });

    it('have none whose schema does not say an object or a list', () => {
      expect(pipesOf('unread')).toEqual([['union']]);
    });
  });
});
