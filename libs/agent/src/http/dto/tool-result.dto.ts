import { MaxLength } from 'class-validator';
import type { JsonValue } from '../../message';
import { DocumentedAs } from '../answers';
import { AnyJson, OptionalText, RequiredText } from './fields';

/** The body of `POST /chat/tool-result`. */
@DocumentedAs('AgentToolResult')
export class ToolResultDto {
  @RequiredText('The session of the call')
  sessionId!: string;

  @RequiredText('The call, as frontend.call named it')
  callId!: string;

  @AnyJson("The tool's result, any JSON")
  result?: JsonValue;

  @OptionalText("The tool's error message, in place of a result", MaxLength(20_000))
  error?: string;
}
