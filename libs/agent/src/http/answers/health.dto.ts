import { DocumentedAs, DocumentedField } from './documented.decorator';
import { OPTIONAL_TEXT } from './field-schemas';

/** The body of `GET /health`. */
@DocumentedAs('AgentHealth')
export class HealthDto {
  @DocumentedField('The agent is running', { type: String, enum: ['ok'] })
  readonly status!: 'ok';

  @DocumentedField("The model's name", { type: String })
  readonly model!: string;

  @DocumentedField('The time of this answer', { type: String, format: 'date-time' })
  readonly timestamp!: string;

  @DocumentedField('Set if the model is a stand-in', OPTIONAL_TEXT)
  readonly notice?: string;

  @DocumentedField('The states of the MCP servers, by name', {
    type: 'object',
    additionalProperties: { type: 'string' },
    selfRequired: false,
  })
  readonly mcp?: Readonly<Record<string, string>>;
}
