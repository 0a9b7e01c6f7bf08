import type { ToolDetail, ToolSummary } from '../../run';
import { documentedDto } from './documented.decorator';
import { ANY_JSON, JSON_OBJECT, OPTIONAL_TEXT, optional } from './field-schemas';

const SUMMARY: Parameters<typeof documentedDto<ToolSummary>>[1] = {
  name: ["The tool's name"],
  title: ['The display name for people', OPTIONAL_TEXT],
  description: ['Its purpose'],
  kind: ['How it is executed'],
  group: ['The group it belongs to', OPTIONAL_TEXT],
  readOnly: ['Whether it changes nothing', { type: Boolean }],
  destructive: ['Whether it removes or overwrites data', { type: Boolean }],
  idempotent: ['Whether repeating a call has no further effect', { type: Boolean }],
  openWorld: ['Whether it reaches beyond the application', { type: Boolean }],
};

/** A tool in a list. */
export const ToolSummaryDto = documentedDto<ToolSummary>('AgentToolSummary', SUMMARY);

export const ToolDetailDto = documentedDto<ToolDetail>('AgentToolDetail', {
  ...SUMMARY,
  input_schema: ['JSON Schema of the arguments', JSON_OBJECT],
  output_schema: ['JSON Schema of the results', optional(JSON_OBJECT)],
  requestExample: ['Arguments that the tool accepts', ANY_JSON],
  responseExample: ['A result of the declared shape', optional(ANY_JSON)],
});
