import type { JsonValue, ToolKind } from '../../message';
import type { ToolDetail, ToolSummary } from '../../run';
import type { JsonSchema } from '../../tool';
import { DocumentedAs, DocumentedField } from './documented.decorator';
import { ANY_JSON, JSON_OBJECT, optional } from './any-json';

/** A tool in a list. */
@DocumentedAs('AgentToolSummary')
export class ToolSummaryDto implements ToolSummary {
  @DocumentedField("The tool's name", { type: String })
  readonly name!: string;

  @DocumentedField('What people read instead of the name', { type: String, required: false })
  readonly title?: string;

  @DocumentedField('What it does', { type: String })
  readonly description!: string;

  @DocumentedField('How it is carried out', { type: String })
  readonly kind!: ToolKind;

  @DocumentedField('The group it belongs to', { type: String, required: false })
  readonly group?: string;

  @DocumentedField('Whether it changes nothing', { type: Boolean })
  readonly readOnly!: boolean;

  @DocumentedField('Whether it removes or overwrites', { type: Boolean })
  readonly destructive!: boolean;

  @DocumentedField('Whether repeating a call has no further effect', { type: Boolean })
  readonly idempotent!: boolean;

  @DocumentedField('Whether it reaches beyond the application', { type: Boolean })
  readonly openWorld!: boolean;
}

/** A tool with all its details. */
@DocumentedAs('AgentToolDetail')
export class ToolDetailDto extends ToolSummaryDto implements ToolDetail {
  @DocumentedField('JSON Schema of the arguments', JSON_OBJECT)
  readonly input_schema!: JsonSchema;

  @DocumentedField('JSON Schema of the results', optional(JSON_OBJECT))
  readonly output_schema?: JsonSchema;

  @DocumentedField('Arguments that the tool accepts', ANY_JSON)
  readonly requestExample!: JsonValue;

  @DocumentedField('A result of the declared shape', optional(ANY_JSON))
  readonly responseExample?: JsonValue;
}
