import { IsNotEmpty, IsObject, IsOptional, IsString } from 'class-validator';
import type { JsonSchema, ToolDefinition } from '../../tool';
import { DocumentedAs, DocumentedField } from '../answers';
import { KeepJson } from './keep-json.decorator';

/** A tool that runs in the caller's browser. */
@DocumentedAs('AgentToolDefinition')
export class ToolDefinitionDto implements ToolDefinition {
  @DocumentedField('1 to 64 letters, digits or underscores', { type: String })
  @IsString()
  @IsNotEmpty()
  name!: string;

  @DocumentedField('The purpose of the tool, for the model', { type: String })
  @IsString()
  @IsNotEmpty()
  description!: string;

  @DocumentedField('JSON Schema of the arguments, an object', { type: Object })
  @KeepJson()
  @IsObject()
  input_schema!: JsonSchema;

  @DocumentedField('JSON Schema of the result', { type: Object, required: false })
  @KeepJson()
  @IsOptional()
  @IsObject()
  output_schema?: JsonSchema;
}
