import { type CanActivate, type ExecutionContext, Injectable, UseGuards } from '@nestjs/common';
import { of } from 'rxjs';
import { Tool, ToolParam } from '../libs/agent/src/decorators';
import { ToolApplication, valuesOf } from './support/tool-application';
import type { Observable } from 'rxjs';

@Injectable()
class UserGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return context.switchToHttp().getRequest<{ user?: string }>().user !== undefined;
  }
}

@Injectable()
class MathTools {
  @Tool({ description: 'Add two integers', readOnly: true })
  add(@ToolParam('a') a: number, @ToolParam('b') b: number): number {
    return a + b;
  }

  @UseGuards(UserGuard)
  @Tool({ description: 'Count up' })
  count(): Observable<number> {
    return of(1, 2, 3);
  }
}

describe('provider tools', () => {
  it('run', async () => {
    const tools = await ToolApplication.boot({ providers: [MathTools] });
    expect(tools.names).toEqual(['add', 'count']);
    expect(await tools.call('add', { a: 1, b: 2 })).toBe(3);
    const stream = await tools.outcome('count', {}, { request: { user: 'alice' } });
    expect(await valuesOf(stream as Observable<unknown>)).toEqual([1, 2, 3]);
    await expect(tools.call('count', {}, { request: {} })).rejects.toThrow('Forbidden resource');
    await expect(tools.call('count')).rejects.toThrow('UserGuard');
    await tools.close();
  });
});
