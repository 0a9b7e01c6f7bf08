import { ModelError } from '../../model-error';
import { wordsOf } from './provider-error';

// Not part of a name with hyphens, such as a model's.
const MEDIA =
  '(?<![\\w-])(?:images?|pictures?|pdf|document|media(?! type)|vision|multimodal|image_url|input_image|input_file)(?![\\w-])|图片';
const REFUSED = [
  '(?:could|can|was|is|does|are) ?not\\b|n.t support|not supported|only supported|unable to|failed to',
  'invalid|unsupported|unknown variant|exceeds?\\b|at most \\d|empty|missing|no pages',
  'password protected',
].join('|');
/** Providers' messages about a picture or file that they cannot read, or that their model cannot. */
const WORDS = new RegExp(
  [
    `(?:${MEDIA}).{0,60}(?:${REFUSED})|(?:${REFUSED}).{0,60}(?:${MEDIA})`,
    // OpenAI's codes.
    '#(?:invalid_|empty_|unsupported_|failed_to_download_)?image_?',
    // Of an attachment's address.
    '(?:unable|error|failed|timeout|cannot).{0,40}(?:download|fetch)(?:ing)?\\b.{0,60}(?:https?:|\\burl\\b)',
    // Groq's, of a model that takes only text.
    'content must be a string',
  ].join('|'),
);
/** A tool may be called, or take, anything. */
const OF_TOOLS = /schema|function_declarations|\btools[.[]/;
/** A router has no such model, and llama.cpp counts it as its own failure. */
const OTHERWISE = /no endpoints found that support (?:image|file|pdf)|image input is not supported/;

/** Whether a provider seems to have refused a request for its pictures or files. */
export function refusesMedia(failure: unknown): boolean {
  if (!(failure instanceof ModelError)) return false;
  const { cause, code } = failure;
  if (cause instanceof AggregateError) return refuseMedia(cause.errors);
  const words = wordsOf(cause);
  if (code === 'model_bad_request') return WORDS.test(words) && !OF_TOOLS.test(words);
  return (code === 'model_not_found' || code === 'model_unavailable') && OTHERWISE.test(words);
}

/** Of all models that were asked. One that only failed for now may read the attachments later. */
function refuseMedia(failures: readonly unknown[]): boolean {
  const others = failures.filter((each) => !refusesMedia(each));
  const isPassing = others.some((each) => each instanceof ModelError && each.isRetryable);
  return others.length < failures.length && !isPassing;
}
