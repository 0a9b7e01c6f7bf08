import { IsIn, IsString, MaxLength, ValidateIf } from 'class-validator';
import { MAX_NAME_CHARS, type UserContent } from '../../run';
import { DocumentedAs, DocumentedField, OPTIONAL_TEXT } from '../answers';
import { OptionalText, withoutNulls } from './fields';

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

  @OptionalText('Of an attachment: its media type, such as image/png', MaxLength(100))
  mediaType?: string;

  @OptionalText('The bytes in base64')
  data?: string;

  @OptionalText('In place of data: an https: or data: address')
  url?: string;

  @OptionalText('Its name, for clients to show', MaxLength(MAX_NAME_CHARS))
  name?: string;
}

/** The part with only the keys of its type. */
export function contentOf({ type, text, mediaType, data, url, name }: ContentDto): UserContent {
  if (type === 'text') return { type, text: text ?? '' };
  return withoutNulls({ type, mediaType, data, url, name });
}
