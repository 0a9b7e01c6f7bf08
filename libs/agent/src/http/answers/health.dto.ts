import { DocumentedAs, DocumentedField } from './documented.decorator';

/** The body of `GET /health`. */
@DocumentedAs('AgentHealth')
export class HealthDto {
  @DocumentedField('The agent is there', { type: String, enum: ['ok'] })
  readonly status!: 'ok';

  @DocumentedField("The model's name", { type: String })
  readonly model!: string;

  @DocumentedField('When this was said', { type: String, format: 'date-time' })
  readonly timestamp!: string;

  @DocumentedField('Set where the model is a stand-in', { type: String, required: false })
  readonly notice?: string;

  @DocumentedField('The states of the MCP servers, by name', {
    type: 'object',
    additionalProperties: { type: 'string' },
    selfRequired: false,
  })
  readonly mcp?: Readonly<Record<string, string>>;
}
