import { ModelError } from '../../model-error';
import { wordsOf } from './provider-error';

const MEDIA =
  '\\b(?:images?|pictures?|pdf|document|media|vision|multimodal|image_url|input_image|input_file)\\b|图片';
const REFUSED = [
  '(?:could|can|was|is|does|are) ?not\\b|n.t support|not supported|only supported|unable to|failed to',
  'invalid|unsupported|unknown variant|exceeds?\\b|at most \\d|empty|missing|no pages',
  'password protected|no endpoints',
].join('|');
/** Providers' messages about a picture or file that they cannot read, or that their model cannot. */
const WORDS = new RegExp(
  [
    `(?:${MEDIA}).{0,60}(?:${REFUSED})|(?:${REFUSED}).{0,60}(?:${MEDIA})`,
    // OpenAI's codes.
    '#(?:invalid_|empty_|unsupported_|failed_to_download_)?image_?',
    // Of an address that only an attachment can have.
    '(?:unable|error|failed|timeout|cannot).{0,40}(?:download|fetch)',
    // Groq's, of a model that takes only text.
    'content must be a string',
  ].join('|'),
);
/** A router has no such model, and llama.cpp counts it as its own failure. */
const CODES: readonly string[] = ['model_bad_request', 'model_not_found', 'model_unavailable'];

/** Whether a provider seems to have refused a request for its pictures or files. */
export function refusesMedia(failure: unknown): boolean {
  if (!(failure instanceof ModelError) || !CODES.includes(failure.code)) return false;
  const { cause } = failure;
  if (cause instanceof AggregateError) return cause.errors.some(refusesMedia);
  return WORDS.test(wordsOf(cause));
}
