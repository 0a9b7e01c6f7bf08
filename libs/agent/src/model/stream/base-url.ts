import { ModelError } from '../model-error';
import { isWebAddress } from './source-list';

/**
 * An SDK would try again and again, and say nothing of the address. `localhost:8000/v1` is a URL, too,
 * with the scheme `localhost:`.
 *
 * @throws ModelError which does not repeat the address, because it may contain a secret
 */
export function assertBaseUrl(baseUrl: string, modelName: string): void {
  if (isWebAddress(baseUrl)) return;
  throw new ModelError(
    'model_not_found',
    `The base URL of the model ${modelName} is not a web address. It must begin with http:// or https://.`,
  );
}
