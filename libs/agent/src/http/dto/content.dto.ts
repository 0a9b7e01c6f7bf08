import { IsIn, IsOptional, IsString, MaxLength, ValidateIf } from 'class-validator';
import type { UserContent } from '../../run';
import { DocumentedAs, DocumentedField } from '../answers';

const TYPES = ['text', 'image', 'file'] as const;

/** A part of a message: a text or an attachment. */
@DocumentedAs('AgentContent')
export class ContentDto {
  @DocumentedField('Which it is', { type: String, enum: TYPES })
  @IsIn(TYPES)
  type!: (typeof TYPES)[number];

  @DocumentedField('Of a text: the text', { type: String, required: false })
  @ValidateIf(({ type, text }: ContentDto) => type === 'text' || text != null)
  @IsString()
  text?: string;

  @DocumentedField('Of something attached: its type, such as image/png', {
    type: String,
    required: false,
  })
  @IsOptional()
  @IsString()
  @MaxLength(100)
  mediaType?: string;

  @DocumentedField('The bytes in base64', { type: String, required: false })
  @IsOptional()
  @IsString()
  data?: string;

  @DocumentedField('In place of data: an https: or data: address', {
    type: String,
    required: false,
  })
  @IsOptional()
  @IsString()
  url?: string;

  @DocumentedField("A file's name", { type: String, required: false })
  @IsOptional()
  @IsString()
  @MaxLength(255)
  name?: string;
}

/** The part with only the keys of its type. */
export function contentOf({ type, text, mediaType, data, url, name }: ContentDto): UserContent {
  if (type === 'text') return { type, text: text ?? '' };
  return {
    type,
    ...(mediaType != null && { mediaType }),
    ...(data != null && { data }),
    ...(url != null && { url }),
    ...(type === 'file' && name != null && { name }),
  };
}
