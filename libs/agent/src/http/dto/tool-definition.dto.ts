import { IsNotEmpty, IsObject, IsOptional, IsString } from 'class-validator';
import type { JsonSchema, ToolDefinition } from '../../tool';
import { Documents } from '../documented.decorator';
import { KeepJson } from './keep-json.decorator';

/** A tool that runs in the caller's browser. */
export class ToolDefinitionDto implements ToolDefinition {
  @Documents('1 to 64 letters, digits or underscores', { type: String })
  @IsString()
  @IsNotEmpty()
  name!: string;

  @Documents('What the tool is for; the model reads it', { type: String })
  @IsString()
  @IsNotEmpty()
  description!: string;

  @Documents('JSON Schema of the arguments, an object', { type: Object })
  @KeepJson()
  @IsObject()
  input_schema!: JsonSchema;

  @Documents('JSON Schema of the result', { type: Object, required: false })
  @KeepJson()
  @IsOptional()
  @IsObject()
  output_schema?: JsonSchema;
}
