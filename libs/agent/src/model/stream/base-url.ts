import { ModelError } from '../model-error';
import { isWebAddress } from './source-list';

/**
 * Refuses a base URL that is not a web address, such as `localhost:8000/v1`, whose scheme is `localhost:`. An SDK
 * would repeat the request, and its error would not name the address as the cause. Credentials within the
 * address are refused as by `fetch`: undici would drop them.
 *
 * @throws ModelError which does not repeat the address, because it may contain a secret
 */
export function assertBaseUrl(baseUrl: string, modelName: string): void {
  if (!isWebAddress(baseUrl)) {
    throw new ModelError(
      'model_not_found',
      `The base URL of the model ${modelName} is not a web address. It must begin with http:// or https://.`,
    );
  }
  const { username, password } = new URL(baseUrl);
  if (username === '' && password === '') return;
  throw new ModelError(
    'model_authentication',
    `The base URL of the model ${modelName} contains credentials. Pass them as headers: { Authorization: 'Basic …' }.`,
  );
}
