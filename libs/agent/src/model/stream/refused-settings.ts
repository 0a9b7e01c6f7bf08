import type { ContentBlock } from '../../message';
import type { ModelRequest } from '../chat-model';
import { logKept } from './failures';

type Setting =
  | keyof Pick<
      ModelRequest,
      | 'temperature'
      | 'topP'
      | 'presencePenalty'
      | 'frequencyPenalty'
      | 'seed'
      | 'stop'
      | 'toolChoice'
      | 'reasoningEffort'
      | 'verbosity'
    >
  /** The history's thoughts. */
  | 'thoughts';

/** The settings by their names at providers. */
const NAMES: readonly (readonly [Setting, RegExp])[] = [
  ['temperature', /\btemperature\b/],
  ['topP', /\btop_?p\b/i],
  ['presencePenalty', /\bpresence_?penalty\b|\bpenalty is\b/i],
  ['frequencyPenalty', /\bfrequency_?penalty\b|\bpenalty is\b/i],
  ['seed', /\bseed\b/],
  ['stop', /\bstop\b/],
  // Models that think refuse a forced call.
  ['toolChoice', /\btool_choice\b/],
  ['reasoningEffort', /\breasoning[._]?effort\b|\beffort\b/i],
  ['verbosity', /\bverbosity\b/],
  // A gateway may send them, and refuse them for the provider behind it.
  ['thoughts', /\breasoning_(?:content|details|text|opaque)\b|'reasoning'|\bthinking_blocks\b/],
];

/** Messages of providers that do not support a setting, whatever its value. */
const REFUSAL = new RegExp(
  [
    '\\bunsupported (?:parameter|value)\\b|\\bis unsupported\\b|\\bnot support(?:ed)?\\b',
    // Kimi's, and Claude's of two settings that exclude each other, such as a forced call of a model
    // that thinks unless told otherwise.
    '\\bonly \\S+ is allowed\\b|\\b(?:incompatible|not compatible) with\\b',
    '\\bcannot both be specified\\b|\\bmay not be enabled\\b|\\bmay only be set to\\b|\\bor unset when\\b',
    // Groq's, Alibaba's and Ollama's, of levels of effort.
    'effort\\W{1,3}(?:to|must) be one of\\b',
    '\\bis deprecated\\b|\\bnot enabled\\b|\\bunknown (?:name|parameter)\\b|\\bunrecognized (?:request argument|key)|\\bextra_forbidden\\b|\\bextra inputs\\b',
  ].join('|'),
  'i',
);
/**
 * Providers' messages about thoughts that they cannot verify, such as those of another account, or
 * of another region behind the same address.
 */
const UNREADABLE =
  /encrypted content .{0,500}could not be (?:verified|decrypted)|invalid `?signature`? in `?thinking|blocks? .{0,500}cannot be modified/i;
/** Two settings that exclude each other: a request with one of them is accepted. */
const EXCLUSIVE = /\bcannot both be specified\b/i;
const STATUSES: ReadonlySet<unknown> = new Set([400, 422]);

/**
 * Omits settings, and thoughts, that the model does not support: clients send them routinely, and only a refusal
 * shows which ones a model has. For example, reasoning models have no temperature.
 */
export class RefusedSettings {
  /** With the effort: some models support a setting only if they do not think. */
  private readonly known = new Set<string>();

  /**
   * Makes a request, and repeats it without each refused setting.
   *
   * @throws the error of the last attempt
   */
  async without<T>(
    request: ModelRequest,
    attempt: (request: ModelRequest) => Promise<T>,
  ): Promise<T> {
    const keyOf = (setting: Setting) => `${setting} ${request.reasoningEffort ?? ''}`;
    const refused = NAMES.map(([name]) => name).filter((name) => this.known.has(keyOf(name)));
    let whole = request;
    for (;;) {
      const asked = refused.reduce(withoutSetting, whole);
      try {
        const answer = await attempt(asked);
        // An error may name a setting that is not its reason.
        for (const setting of refused) this.known.add(keyOf(setting));
        return answer;
      } catch (error) {
        const setting = refusedIn(error, asked);
        if (setting === undefined) throw error;
        // Of this request alone: another conversation may keep its thoughts.
        const isOwn = setting === 'thoughts' && isRefusedSetting(error, UNREADABLE);
        if (isOwn || isRefusedSetting(error, EXCLUSIVE)) whole = withoutSetting(whole, setting);
        else refused.push(setting);
        logKept(error);
      }
    }
  }
}

function hasSetting(request: ModelRequest, setting: Setting): boolean {
  if (setting === 'thoughts')
    return request.messages.some(({ content }) => content.some(isThought));
  // A model that must not call its tools cannot be asked without saying so.
  return setting in request && !(setting === 'toolChoice' && request.toolChoice === 'none');
}

function isThought({ type }: ContentBlock): boolean {
  return type === 'reasoning';
}

function withoutSetting(request: ModelRequest, setting: Setting): ModelRequest {
  if (!hasSetting(request, setting)) return request;
  if (setting === 'thoughts') {
    const messages = request.messages.map((message) => ({
      ...message,
      content: message.content.filter((block) => !isThought(block)),
    }));
    return { ...request, messages };
  }
  const others = Object.entries(request).filter(([name]) => name !== setting);
  return Object.fromEntries(others) as unknown as ModelRequest;
}

/** The setting of this request that an error refuses. */
function refusedIn(error: unknown, request: ModelRequest): Setting | undefined {
  if (isRefusedSetting(error, UNREADABLE) && hasSetting(request, 'thoughts')) return 'thoughts';
  if (!isRefusedSetting(error, REFUSAL)) return undefined;
  const { message } = error;
  const named = NAMES.find(([name, wire]) => hasSetting(request, name) && wire.test(message));
  return named?.[0];
}

function isRefusedSetting(error: unknown, words: RegExp): error is Error {
  if (!(error instanceof Error) || !('status' in error)) return false;
  return STATUSES.has(error.status) && words.test(error.message);
}
