import type { ErrorBody } from '../errors';
import { documentedDto } from './documented.decorator';
import { OPTIONAL_TEXT } from './field-schemas';

interface RunErrorBody extends ErrorBody {
  readonly sessionId?: string;
  readonly runId?: string;
}

/** The endpoints' error body. */
export const ErrorDto = documentedDto<RunErrorBody>('AgentError', {
  statusCode: ['The HTTP status', { type: Number, example: 404 }],
  message: [
    'The problem, or a list of problems',
    {
      oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
      example: 'There is no such session.',
    },
  ],
  error: ["The status's name", { type: String, example: 'Not Found' }],
  code: ['Stable, for programs to read', { type: String, example: 'session_not_found' }],
  sessionId: ['The session of a run that failed', OPTIONAL_TEXT],
  runId: ['The run that failed', OPTIONAL_TEXT],
});
