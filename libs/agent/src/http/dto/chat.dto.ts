import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsOptional,
  IsString,
  Matches,
  ValidateNested,
} from 'class-validator';
import type { ToolChoice } from '../../model';
import type { ChatInput } from '../../run';
import { sessionIdOf } from '../caller/identifiers';
import { DocumentedAs, DocumentedField } from '../documentation/documented.decorator';
import { IsToolChoice } from './is-tool-choice.decorator';
import { KeepJson } from './keep-json.decorator';
import { ToolDefinitionDto } from './tool-definition.dto';
import { withoutNulls } from './without-nulls';

/** The body of `POST /chat` and `POST /chat/stream`. */
@DocumentedAs('AgentChatRequest')
export class ChatDto implements ChatInput {
  @DocumentedField('What the user says', { type: String, example: 'What is on today?' })
  @IsString()
  @Matches(/\S/, { message: 'message should not be empty' })
  message!: string;

  @DocumentedField('Continues a session; without it a new one begins', {
    type: String,
    required: false,
  })
  @IsOptional()
  @IsString()
  sessionId?: string;

  @DocumentedField('A run of this session that the message replaces', {
    type: String,
    required: false,
  })
  @IsOptional()
  @IsString()
  replaceRun?: string;

  @DocumentedField('What the client calls the message', { type: String, required: false })
  @IsOptional()
  @IsString()
  messageId?: string;

  @DocumentedField('What the client knows of the surroundings of the user', {
    type: [String],
    required: false,
  })
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(100)
  @IsString({ each: true })
  environmentContext?: string[];

  @DocumentedField('Tools that run in the browser', { type: [ToolDefinitionDto], required: false })
  @IsOptional()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => ToolDefinitionDto)
  frontendTools?: ToolDefinitionDto[];

  @DocumentedField('One of the models the agent was given by name', {
    type: String,
    required: false,
  })
  @IsOptional()
  @IsString()
  model?: string;

  @DocumentedField('auto, none, required or { name }; for the first step', {
    type: Object,
    required: false,
  })
  @KeepJson()
  @IsOptional()
  @IsToolChoice()
  toolChoice?: ToolChoice;
}

/** What the client said, without the keys it left empty. @throws SessionNotFoundError */
export function chatInputOf({ frontendTools, ...dto }: ChatDto): ChatInput {
  if (typeof dto.sessionId === 'string') sessionIdOf(dto.sessionId);
  return {
    ...withoutNulls(dto),
    ...(frontendTools && { frontendTools: frontendTools.map(withoutNulls) }),
  };
}
