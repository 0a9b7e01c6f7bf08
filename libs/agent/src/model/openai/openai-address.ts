/** The service at an address. */
interface OpenAiAddress {
  /** The name under which its data is stored, see `ProviderData`. */
  readonly provider: string;
  /** Whether it is a service of OpenAI. */
  readonly isOpenAi: boolean;
  /** Whether it speaks the Responses API, as far as is known. */
  readonly hasResponses: boolean;
}

const AZURE = /\.(openai|services\.ai|cognitiveservices)\.azure\.(com|us|cn)$/;

/** Some regions have their own hosts, such as `eu.api.openai.com`. */
export function openAiAddress(baseUrl: string): OpenAiAddress {
  if (!URL.canParse(baseUrl)) return { provider: baseUrl, isOpenAi: false, hasResponses: false };
  const { host, hostname, pathname } = new URL(baseUrl);
  const isOpenAi = hostname === 'openai.com' || hostname.endsWith('.openai.com');
  const isAzure = AZURE.test(hostname) && /^\/openai\/v1\/?$/.test(pathname);
  return { provider: host, isOpenAi, hasResponses: isOpenAi || isAzure };
}
