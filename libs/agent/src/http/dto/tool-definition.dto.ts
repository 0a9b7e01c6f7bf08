import { IsObject } from 'class-validator';
import type { JsonSchema, ToolDefinition } from '../../tool';
import { DocumentedAs, DocumentedField } from '../answers';
import { OptionalObject, RequiredText } from './fields';
import { KeepJson } from './keep-json.decorator';

/** A tool that runs in the caller's browser. */
@DocumentedAs('AgentToolDefinition')
export class ToolDefinitionDto implements ToolDefinition {
  @RequiredText('1 to 64 letters, digits or underscores')
  name!: string;

  @RequiredText('The purpose of the tool, for the model')
  description!: string;

  @DocumentedField('JSON Schema of the arguments, an object', { type: Object })
  @KeepJson()
  @IsObject()
  input_schema!: JsonSchema;

  @OptionalObject('JSON Schema of the result')
  output_schema?: JsonSchema;
}
