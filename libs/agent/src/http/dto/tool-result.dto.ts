import { Allow, IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';
import type { JsonValue } from '../../message';
import { DocumentedAs, DocumentedField, OPTIONAL_TEXT } from '../answers';
import { KeepJson } from './keep-json.decorator';

/** The body of `POST /chat/tool-result`. */
@DocumentedAs('AgentToolResult')
export class ToolResultDto {
  @DocumentedField('The session of the call', { type: String })
  @IsString()
  @IsNotEmpty()
  sessionId!: string;

  @DocumentedField('The call, as frontend.call named it', { type: String })
  @IsString()
  @IsNotEmpty()
  callId!: string;

  @DocumentedField("The tool's result, any JSON", { type: Object, required: false })
  @KeepJson()
  @Allow()
  result?: JsonValue;

  @DocumentedField("The tool's error message, in place of a result", OPTIONAL_TEXT)
  @IsOptional()
  @IsString()
  @MaxLength(20_000)
  error?: string;
}
