import { toModelError } from './provider-error';
import { refusesMedia } from './refused-media';

describe('refusesMedia', () => {
  const refused = (error: unknown, status = 400): boolean =>
    refusesMedia(toModelError({ status, error }, 'm'));

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

  it.each([
    [{ message: "Invalid schema for function 'resize_image'" }, 400],
    [{ message: 'Rate limit reached for image inputs: not more than 3 per minute' }, 429],
    [{ message: 'messages: text content blocks must be non-empty' }, 400],
  ])('takes no other refusal for it: %j', (error, status) => {
    expect(refused(error, status)).toBe(false);
  });
});
