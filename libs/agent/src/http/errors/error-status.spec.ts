import { BadRequestException, HttpException } from '@nestjs/common';
import { CallInterruptedError } from '../../invocation';
import { ModelError } from '../../model';
import { ActionConflictError, InvalidInputError } from '../../run';
import { SessionNotFoundError, SessionStoreError } from '../../session';
import { AgentError } from '../../tool';
import { httpExceptionOf } from './error-status';

describe('httpExceptionOf', () => {
  it.each([
    [new InvalidInputError('no', ['a', 'b']), 400, 'invalid_input', ['a', 'b']],
    [new InvalidInputError('no', [], 'other_code'), 400, 'other_code', 'no'],
    [new SessionNotFoundError(), 404, 'session_not_found', 'There is no such session.'],
    [new ActionConflictError('not_pending', 'c'), 409, 'not_pending', expect.any(String)],
    [new CallInterruptedError(), 503, 'interrupted', expect.stringMatching(/interrupted/)],
    [new ModelError('model_overloaded', 'Busy.'), 503, 'model_overloaded', 'Busy.'],
    [
      new AgentError('unheard_of', 'secret'),
      500,
      'unheard_of',
      expect.not.stringMatching(/secret/),
    ],
    [
      new SessionStoreError('store_unavailable', 'secret'),
      503,
      'store_unavailable',
      'The conversations are unavailable. Try again in a moment.',
    ],
    [
      new SessionStoreError('store_failed', 'secret'),
      500,
      'store_failed',
      expect.not.stringMatching(/secret/),
    ],
    [new Error('secret'), 500, 'internal_error', expect.not.stringMatching(/secret/)],
    ['secret', 500, 'internal_error', expect.not.stringMatching(/secret/)],
  ])('answers %p', (error, status, code, message) => {
    const exception = httpExceptionOf(error);
    expect(exception).toBeInstanceOf(HttpException);
    expect(exception.getStatus()).toBe(status);
    expect(exception.getResponse()).toEqual({
      statusCode: status,
      message,
      error: expect.any(String),
      code,
    });
  });

  it("leaves the application's own exceptions alone", () => {
    const own = new BadRequestException('mine');
    expect(httpExceptionOf(own)).toBe(own);
  });
});
