import type { ModelEvent } from '../../chat-model';
import { notKept } from '../../history';
import { textIn } from '../../stream';
import type { OpenAiDelta, OpenAiPicture } from './openai-chunk';

const NONE: readonly ModelEvent[] = [];
const DATA_TYPE = /^data:(image\/[\w.+-]{1,50});/;

/** The pictures that a model made, as OpenRouter sends them: none is stored. */
export class OpenAiPictures {
  private count = 0;

  read(answerId: unknown, { images }: OpenAiDelta): readonly ModelEvent[] {
    if (!Array.isArray(images)) return NONE;
    return (images as readonly OpenAiPicture[]).map((image): ModelEvent => {
      const [, type = 'image/*'] = DATA_TYPE.exec(textIn(image?.image_url?.url)) ?? [];
      const id = `${String(answerId)}_image_${this.count++}`;
      return { type: 'provider_tool', id, name: 'image', notice: notKept(type) };
    });
  }
}
