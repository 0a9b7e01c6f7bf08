import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsOptional,
  IsString,
  Matches,
  ValidateIf,
  ValidateNested,
  ValidateBy,
  MaxLength,
} from 'class-validator';
import type { ToolChoice } from '../../model';
import type { ChatInput } from '../../run';
import { sessionIdOf } from '../caller';
import { DocumentedAs, DocumentedField } from '../answers';
import { ContentDto, contentOf } from './content.dto';
import { AnyJson, OptionalList, OptionalText, OptionalNumber, withoutNulls } from './fields';
import { ToolDefinitionDto } from './tool-definition.dto';
import { isJsonObject } from '../../message';

/** Settings for the model's answers. */
@DocumentedAs('AgentModelOptions')
class ModelOptionsDto implements NonNullable<ChatInput['modelOptions']> {
  @OptionalNumber('The sampling temperature', 2)
  temperature?: number;

  @OptionalNumber('The probability mass of nucleus sampling', 1)
  topP?: number;

  @OptionalText('The effort of a reasoning model, such as low', MaxLength(20))
  reasoningEffort?: string;
}

const WORDS: ReadonlySet<unknown> = new Set(['auto', 'none', 'required']);

/** The body of `POST /chat` and `POST /chat/stream`. */
@DocumentedAs('AgentChatRequest')
export class ChatDto implements Omit<ChatInput, 'content'> {
  @DocumentedField("The user's message; it may be missing beside content", {
    type: String,
    example: 'What is on today?',
    required: false,
  })
  @ValidateIf(({ message, content }: ChatDto) => message != null || content == null)
  @IsString()
  @Matches(/\S/, { message: 'message should not be empty' })
  message?: string;

  @OptionalList(ContentDto, 'Texts, pictures and files, after the message', ArrayMaxSize(100))
  content?: ContentDto[];

  @DocumentedField('Settings of the model, if the application allows them', {
    type: ModelOptionsDto,
    required: false,
  })
  @IsOptional()
  @ValidateNested()
  @Type(() => ModelOptionsDto)
  modelOptions?: ModelOptionsDto;

  @OptionalText('Continues a session; without it a new one begins')
  sessionId?: string;

  @OptionalText('A run of this session that the message replaces')
  replaceRun?: string;

  @OptionalText("The client's id of the message")
  messageId?: string;

  @DocumentedField("Facts of the user's environment", {
    type: [String],
    required: false,
  })
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(100)
  @IsString({ each: true })
  environmentContext?: string[];

  @OptionalList(ToolDefinitionDto, 'Tools that run in the browser')
  frontendTools?: ToolDefinitionDto[];

  @OptionalText("The name of one of the module's models")
  model?: string;

  @AnyJson('auto, none, required or { name }; for the first step')
  @IsOptional()
  @IsToolChoice()
  toolChoice?: ToolChoice;
}

/** The client's input without empty keys. @throws SessionNotFoundError */
export function chatInputOf({ frontendTools, content, modelOptions, ...dto }: ChatDto): ChatInput {
  if (typeof dto.sessionId === 'string') sessionIdOf(dto.sessionId);
  return {
    ...withoutNulls(dto),
    ...(content && { content: content.map(contentOf) }),
    ...(modelOptions && { modelOptions: withoutNulls(modelOptions) }),
    ...(frontendTools && { frontendTools: frontendTools.map(withoutNulls) }),
  };
}

/** `auto`, `none`, `required` or `{ name }`. */
function IsToolChoice(): PropertyDecorator {
  return ValidateBy({
    name: 'isToolChoice',
    validator: {
      validate: (value: unknown) => WORDS.has(value) || isNamedChoice(value),
      defaultMessage: (args) =>
        `${args?.property ?? 'toolChoice'} must be "auto", "none", "required" or { "name": a tool's name }`,
    },
  });
}

function isNamedChoice(value: unknown): boolean {
  return isJsonObject(value) && typeof value.name === 'string' && Object.keys(value).length === 1;
}
