import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { URL } from 'node:url';
import { root } from '../package/paths.mjs';

const REPOSITORY = /^https:\/\/github\.com\/(?<owner>[A-Za-z0-9-]+)\/(?<name>[A-Za-z0-9._-]+)$/;

/**
 * Every address of the project, from the one in `project.json`; undefined if that is empty.
 *
 * @throws Error if it is not the address of a repository
 */
export function projectAddresses(folder = root) {
  const { repository } = JSON.parse(readFileSync(join(folder, 'project.json'), 'utf8'));
  return repository === '' ? undefined : addressesOf(repository);
}

/** @param {string} repository such as `https://github.com/<owner>/<name>` */
export function addressesOf(repository) {
  const parts = REPOSITORY.exec(repository)?.groups;
  if (parts === undefined || repository.endsWith('.git')) {
    throw new Error(
      `"repository" of project.json must be https://github.com/<owner>/<name> or empty: ${repository}`,
    );
  }
  const site = `https://${parts.owner.toLowerCase()}.github.io/${parts.name}/`;
  return {
    repository,
    site,
    siteBase: new URL(site).pathname,
    issues: `${repository}/issues`,
    advisories: `${repository}/security/advisories/new`,
    workflow: `${repository}/actions/workflows/ci.yml`,
  };
}
