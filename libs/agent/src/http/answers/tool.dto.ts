import type { JsonValue, ToolKind } from '../../message';
import type { ToolDetail, ToolSummary } from '../../run';
import type { JsonSchema } from '../../tool';
import { DocumentedAs, DocumentedField } from './documented.decorator';
import { ANY_JSON, JSON_OBJECT, OPTIONAL_TEXT, optional } from './field-schemas';

/** A tool in a list. */
@DocumentedAs('AgentToolSummary')
export class ToolSummaryDto implements ToolSummary {
  @DocumentedField("The tool's name", { type: String })
  readonly name!: string;

  @DocumentedField('The display name for people', OPTIONAL_TEXT)
  readonly title?: string;

  @DocumentedField('Its purpose', { type: String })
  readonly description!: string;

  @DocumentedField('How it is executed', { type: String })
  readonly kind!: ToolKind;

  @DocumentedField('The group it belongs to', OPTIONAL_TEXT)
  readonly group?: string;

  @DocumentedField('Whether it changes nothing', { type: Boolean })
  readonly readOnly!: boolean;

  @DocumentedField('Whether it removes or overwrites data', { type: Boolean })
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
