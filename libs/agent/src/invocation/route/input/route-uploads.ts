import type { DiscoveredTool } from '../../../discovery';
import { ToolDeclarationError } from '../../../tool';
import { consumesOnlyForms } from './route-documentation';
import { takesUploads } from './route-parameter';

/** @throws ToolDeclarationError for a route with uploaded files */
export function assertNoUpload({ host, methodName, source }: DiscoveredTool): void {
  if (!takesUploads(host, methodName) && !consumesOnlyForms(host, methodName)) return;
  throw new ToolDeclarationError(
    `${source}: a route that takes uploaded files cannot be a tool, because a model has no files to send. Write a provider tool that takes text or an address.`,
  );
}
