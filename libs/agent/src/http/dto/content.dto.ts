import { IsIn, IsOptional, IsString, MaxLength, ValidateIf } from 'class-validator';
import { MAX_NAME_CHARS, type UserContent } from '../../run';
import { DocumentedAs, DocumentedField, OPTIONAL_TEXT } from '../answers';
import { withoutNulls } from './without-nulls';

const TYPES = ['text', 'image', 'file'] as const;

/** A part of a message: a text or an attachment. */
@DocumentedAs('AgentContent')
export class ContentDto {
  @DocumentedField('The kind of the part', { type: String, enum: TYPES })
  @IsIn(TYPES)
  type!: (typeof TYPES)[number];

  @DocumentedField('Of a text: the text', OPTIONAL_TEXT)
  @ValidateIf(({ type, text }: ContentDto) => type === 'text' || text != null)
  @IsString()
  text?: string;

  @DocumentedField('Of an attachment: its media type, such as image/png', OPTIONAL_TEXT)
  @IsOptional()
  @IsString()
  @MaxLength(100)
  mediaType?: string;

  @DocumentedField('The bytes in base64', OPTIONAL_TEXT)
  @IsOptional()
  @IsString()
  data?: string;

  @DocumentedField('In place of data: an https: or data: address', OPTIONAL_TEXT)
  @IsOptional()
  @IsString()
  url?: string;

  @DocumentedField('Its name, for clients to show', OPTIONAL_TEXT)
  @IsOptional()
  @IsString()
  @MaxLength(MAX_NAME_CHARS)
  name?: string;
}

/** The part with only the keys of its type. */
export function contentOf({ type, text, mediaType, data, url, name }: ContentDto): UserContent {
  if (type === 'text') return { type, text: text ?? '' };
  return withoutNulls({ type, mediaType, data, url, name });
}
