import { jsonIn } from '../../../internal';
import { isJsonObject, type JsonObject } from '../../../message';
import type { ToolCallFragment } from '../../tool-calls';

/**
 * The call that Groq rejected because it did not fit the tool's schema; `undefined` for other
 * errors. It is checked like any other call, so the model learns what is wrong.
 *
 * @see https://console.groq.com/docs/tool-use/local-tool-calling#tool-use-failures
 */
export function failedCall(
  error: unknown,
  offered: ReadonlySet<string>,
): ToolCallFragment | undefined {
  if (!isJsonObject(error) || error.code !== 'tool_use_failed') return undefined;
  const { failed_generation: text } = error;
  const written = typeof text === 'string' ? text : '';
  const { name, arguments: input } = callIn(written);
  const [only] = offered;
  const guess = offered.size === 1 ? only : [...offered].find((tool) => written.includes(tool));
  // Arguments that are not JSON go back to the model unchanged.
  return { name: name ?? guess, arguments: input ?? (written === '' ? '…' : written) };
}

function callIn(text: string): ToolCallFragment {
  const tagged = taggedCall(text);
  if (tagged) return tagged;
  const [call] = [jsonIn(text)].flat();
  if (!isJsonObject(call)) return {};
  const inner: JsonObject = isJsonObject(call.function) ? call.function : call;
  return { name: inner.name, arguments: inner.arguments ?? inner.parameters };
}

/** As in `<function=name>{…}`. Without one pattern for all: it would try every way to part a text. */
function taggedCall(text: string): ToolCallFragment | undefined {
  const tag = /<function=([\w.-]+)/.exec(text);
  if (!tag) return undefined;
  const rest = text.slice(tag.index + tag[0].length);
  const begin = rest.indexOf('{');
  const end = rest.lastIndexOf('}');
  if (begin < 0 || end < begin || /\w/.test(rest.slice(0, begin))) return undefined;
  return { name: tag[1], arguments: rest.slice(begin, end + 1) };
}
