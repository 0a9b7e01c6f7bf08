/** The API description of an event stream: OpenAPI has no schema for its frames. */
export const EVENTS =
  'Server-Sent Events: each frame has the number of its event as `id`, its type as `event`, and the event itself as JSON in `data`';

/** As `EVENTS`, for OpenAI's protocol. */
export const CHUNKS =
  'Server-Sent Events: each frame has a `chat.completion.chunk` as JSON in `data`, the last one `[DONE]`';

/** As `EVENTS`, for AG-UI. */
export const AG_UI_EVENTS =
  'Server-Sent Events: each frame has an event of AG-UI as JSON in `data`';

/** As `EVENTS`, for the AI SDK's protocol. */
export const UI_CHUNKS =
  'Server-Sent Events: each frame has a chunk of a UI message stream as JSON in `data`, the last one `[DONE]`';

/** As `EVENTS`, for OpenAI's Responses. */
export const RESPONSE_EVENTS =
  'Server-Sent Events: each frame has its type as `event` and the event as JSON in `data`, the last one `[DONE]`';
