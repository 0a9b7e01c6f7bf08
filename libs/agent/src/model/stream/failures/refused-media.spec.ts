import { ModelError } from '../../model-error';
import { toModelError } from './provider-error';
import { refusesMedia } from './refused-media';

describe('refusesMedia', () => {
  /** As OpenAI's SDK makes the error: the message is in it twice. */
  const refused = (error: { readonly message: string }, status = 400): boolean => {
    const thrown = Object.assign(new Error(`${status} ${error.message}`), { status, error });
    return refusesMedia(toModelError(thrown, 'm'));
  };

  it.each([
    'Could not process image',
    'messages.3.content.1.image.source.base64: image cannot be empty',
    'messages.3.content.1.image.source.base64.data: Image format image/png not supported',
    'messages.3.content.1.image.source.base64: image exceeds 5 MB maximum: 6 MB > 5 MB',
    'At least one of the image dimensions exceed max allowed size: 8000 pixels',
    'The PDF specified was not valid.',
    'The PDF specified is password protected.',
    'The image data you provided does not represent a valid image. Please check your input.',
    'You uploaded an unsupported image.',
    'Error while downloading https://example.com/a.png.',
    'Unable to download the file. Please verify the URL and try again.',
    'Cannot fetch content from the provided URL.',
    'Invalid content type. image_url is only supported by certain models.',
    'Invalid PNG image',
    'Base64 string of provided image cannot be decoded',
    'Unable to process input image. Please retry or report in https://example.com',
    'Provided image is not valid.',
    'The document has no pages.',
    'Failed to load image: cannot identify image file <_io.BytesIO object at 0x7f>',
    'At most 0 image(s) may be provided in one prompt.',
    'x is not a multimodal model',
    'failed to process inputs: image: unknown format',
    'unknown variant `image_url`, expected `text` at line 1 column 9',
    "This model doesn't support the image content block that you provided.",
    'messages[0].content must be a string',
  ])('understands %s', (message) => {
    expect(refused({ message })).toBe(true);
  });

  it.each([
    [{ code: 'image_parse_error', message: 'Another wording.' }, 400],
    [{ code: 'invalid_image', message: 'Another wording.' }, 422],
    [{ message: 'No endpoints found that support image input' }, 404],
    [{ message: 'image input is not supported - hint: you may need to provide the mmproj' }, 500],
  ])('understands %j with %i', (error, status) => {
    expect(refused(error, status)).toBe(true);
  });

  it.each<[string, number]>([
    ["Invalid schema for function 'resize_image'", 400],
    ["Invalid schema for function 'fetch_page'", 400],
    [
      "Invalid schema for function 'file_invoice': In context=('properties', 'document'), 'additionalProperties' is required",
      400,
    ],
    ['tools.0.custom.input_schema.properties.image: invalid keyword', 400],
    [
      "Invalid JSON payload received. Unknown name 'image' at 'tools[0].function_declarations'",
      400,
    ],
    ['`temperature` is not supported with grok-2-vision-1212', 400],
    ['The `grok-2-vision-1212` model does not exist or your team does not have access to it', 404],
    ['models/gemini-2.5-flash-image is not found or is not supported for generateContent', 404],
    ['The document does not exist', 404],
    ['No endpoints found that support tool use', 404],
    ['Unsupported Media Type', 415],
    ['Failed to fetch tools of MCP server', 424],
    ['Rate limit reached for image inputs: not more than 3 per minute', 429],
    ['fetch failed', 500],
    ['vision encoder worker is not responding', 500],
    ['Could not fetch the upstream answer', 502],
    ['messages: text content blocks must be non-empty', 400],
  ])('takes no other refusal for it: %s', (message, status) => {
    expect(refused({ message }, status)).toBe(false);
  });

  it.each<[string, number, boolean]>([
    ['counts beside a model that never answers', 401, true],
    ['does not count beside a model that may read it later', 502, false],
  ])('a refused picture %s (%i)', (_, status, expected) => {
    const errors = [
      toModelError({ status: 400, error: { message: 'Invalid PNG image' } }, 'm'),
      toModelError({ status, error: { message: 'x' } }, 'm'),
    ];
    const cause = new AggregateError(errors);
    expect(refusesMedia(new ModelError('model_unavailable', 'x', { cause }))).toBe(expected);
  });
});
