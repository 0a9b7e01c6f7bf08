import { DocumentedAs, DocumentedField } from './documented.decorator';
import { OPTIONAL_TEXT } from './field-schemas';
import type { ErrorBody } from '../errors';

/** The endpoints' error body. */
@DocumentedAs('AgentError')
export class ErrorDto implements ErrorBody {
  @DocumentedField('The HTTP status', { type: Number, example: 404 })
  readonly statusCode!: number;

  @DocumentedField('The problem, or a list of problems', {
    oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
    example: 'There is no such session.',
  })
  readonly message!: string | readonly string[];

  @DocumentedField("The status's name", { type: String, example: 'Not Found' })
  readonly error!: string;

  @DocumentedField('Stable, for programs to read', { type: String, example: 'session_not_found' })
  readonly code!: string;

  @DocumentedField('The session of a run that failed', OPTIONAL_TEXT)
  readonly sessionId?: string;

  @DocumentedField('The run that failed', OPTIONAL_TEXT)
  readonly runId?: string;
}
