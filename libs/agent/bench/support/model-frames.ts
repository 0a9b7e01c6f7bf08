// What a model of Chat Completions streams, for benchmarks.

const USAGE = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

export function frame(delta: object, finish_reason: string | null = null): string {
  const chunk = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' };
  return `data: ${JSON.stringify({ ...chunk, choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
}

/** The end of an answer: a call of the tool `add`, unless the request has its result. */
export function endOf(request: string, callId: string): string {
  const call = { index: 0, id: callId, type: 'function' };
  const add = { ...call, function: { name: 'add', arguments: '{"a":1,"b":2}' } };
  const end = request.includes('"role":"tool"')
    ? frame({}, 'stop')
    : frame({ tool_calls: [add] }) + frame({}, 'tool_calls');
  return `${end}data: ${JSON.stringify({ choices: [], usage: USAGE })}\n\ndata: [DONE]\n\n`;
}
