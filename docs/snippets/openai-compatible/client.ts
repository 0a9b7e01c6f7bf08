import OpenAI from 'openai';

// #region connect
export function connect(token: string, agent = 'http://127.0.0.1:3000/agent'): OpenAI {
  return new OpenAI({
    baseURL: `${agent}/v1`,
    apiKey: token, // sent as "Authorization: Bearer …", for your guard to read
    maxRetries: 0, // a second attempt does not undo effects of the server's tools
  });
}
// #endregion connect

// #region ask
export async function ask(client: OpenAI, question: string): Promise<string | null> {
  const { choices } = await client.chat.completions.create({
    model: 'shop-agent',
    messages: [{ role: 'user', content: question }],
  });
  return choices[0]?.message.content ?? null;
}
// #endregion ask

// #region stream
export async function stream(
  client: OpenAI,
  question: string,
  write: (text: string) => void,
): Promise<number | undefined> {
  const chunks = await client.chat.completions.create({
    model: 'shop-agent',
    messages: [{ role: 'user', content: question }],
    stream: true,
    stream_options: { include_usage: true },
  });
  let tokens: number | undefined;
  for await (const { choices, usage } of chunks) {
    write(choices[0]?.delta.content ?? '');
    tokens = usage?.total_tokens ?? tokens;
  }
  return tokens;
}
// #endregion stream

// #region tools
export function askWithTools(client: OpenAI, question: string): Promise<string | null> {
  return client.chat.completions
    .runTools({
      model: 'shop-agent',
      messages: [{ role: 'user', content: question }],
      tools: [
        {
          type: 'function',
          function: {
            name: 'get-weather',
            description: 'The weather in a city',
            parameters: { type: 'object', properties: { city: { type: 'string' } } },
            parse: (text: string) => JSON.parse(text) as { city: string },
            function: ({ city }: { city: string }) => `rain in ${city}`,
          },
        },
      ],
    })
    .finalContent();
}
// #endregion tools
