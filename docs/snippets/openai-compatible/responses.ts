import type OpenAI from 'openai';
import type { Response } from 'openai/resources/responses/responses';

// #region converse
export async function converse(client: OpenAI): Promise<string> {
  const first = await client.responses.create({ model: 'shop-agent', input: 'And order 17?' });
  const second = await client.responses.create({
    model: 'shop-agent',
    previous_response_id: first.id, // or conversation: first.conversation.id
    input: 'Is it paid?',
  });
  return second.output_text;
}
// #endregion converse

// #region approve
export async function answerApprovals(
  client: OpenAI,
  response: Response,
  confirm: (question: string) => boolean,
): Promise<Response> {
  const requests = response.output.filter((item) => item.type === 'mcp_approval_request');
  if (requests.length === 0) return response;
  return client.responses.create({
    model: 'shop-agent',
    previous_response_id: response.id,
    input: requests.map(({ id, name, arguments: input }) => ({
      type: 'mcp_approval_response' as const,
      approval_request_id: id,
      approve: confirm(`${name} ${input}`),
    })),
  });
}
// #endregion approve

// #region stream
export async function stream(
  client: OpenAI,
  question: string,
  write: (text: string) => void,
): Promise<string> {
  const events = client.responses.stream({ model: 'shop-agent', input: question });
  for await (const event of events) {
    if (event.type === 'response.output_text.delta') write(event.delta);
  }
  return (await events.finalResponse()).id;
}
// #endregion stream

// #region tools
export async function askWithOwnTool(client: OpenAI, question: string): Promise<string> {
  const tools: OpenAI.Responses.Tool[] = [
    {
      type: 'function',
      name: 'get-weather',
      description: 'The weather in a city',
      parameters: { type: 'object', properties: { city: { type: 'string' } } },
      strict: false,
    },
  ];
  let response = await client.responses.create({ model: 'shop-agent', input: question, tools });
  for (;;) {
    const calls = response.output.filter((item) => item.type === 'function_call');
    if (calls.length === 0) return response.output_text;
    response = await client.responses.create({
      model: 'shop-agent',
      previous_response_id: response.id,
      tools, // again: the client's tools are known for one request
      input: calls.map(({ call_id, arguments: input }) => ({
        type: 'function_call_output' as const,
        call_id,
        output: `rain in ${(JSON.parse(input) as { city: string }).city}`,
      })),
    });
  }
}
// #endregion tools
