import { Inject, Injectable, Scope, UseFilters, UseGuards, UseInterceptors } from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { Tool, ToolEmitter, Toolkit } from 'nestjs-agent';
import { of, type Observable } from 'rxjs';
import {
  BooksClosedError,
  BooksClosedFilter,
  BracketInterceptor,
  ReaderGuard,
} from './books.enhancers.js';
import type { User } from './token.guard.js';

/** Uses features in which Nest versions differ: request scope and enhancers of providers. */
@Toolkit({ description: 'The books' })
@Injectable({ scope: Scope.REQUEST })
@UseGuards(ReaderGuard)
@UseInterceptors(BracketInterceptor)
@UseFilters(BooksClosedFilter)
export class BooksTools {
  constructor(@Inject(REQUEST) private readonly request: { readonly user: User }) {}

  @Tool({ description: 'Tell whose books are open', readOnly: true })
  whose_books(): string {
    return this.request.user.id;
  }

  @Tool({ description: 'Count the books', readOnly: true })
  count_books(emitter: ToolEmitter): Observable<number> {
    emitter.emit('counting');
    return of(1, 2, 3);
  }

  @Tool({ description: 'Balance the books' })
  balance_books(): never {
    throw new BooksClosedError();
  }
}
