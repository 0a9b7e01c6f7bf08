import { Allow, IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';
import type { JsonValue } from '../../message';
import { DocumentedAs, DocumentedField } from '../answers';
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

  @DocumentedField('What the tool returned, any JSON', { type: Object, required: false })
  @KeepJson()
  @Allow()
  result?: JsonValue;

  @DocumentedField('Why the tool failed, in place of a result', { type: String, required: false })
  @IsOptional()
  @IsString()
  @MaxLength(20_000)
  error?: string;
}
