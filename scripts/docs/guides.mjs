import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { linksOf } from './markdown.mjs';
import { root } from '../package/paths.mjs';

const ROW = /^\| (?<topic>[^|]+?) +\| (?<guides>\[[^|]+?) +\|$/;
const LINK = /\[(?<title>[^\]]+)\]\((?<file>docs\/[\w-]+\.md)\)/g;

/**
 * The guides by topic, as the table under "Guides" of the README lists them; the site's navigation
 * is the same.
 */
export function guidesByTopic(folder = root) {
  const section = readFileSync(join(folder, 'README.md'), 'utf8')
    .split(/^## /m)
    .find((text) => text.startsWith('Guides\n'));
  return (section ?? '').split('\n').flatMap((line) => {
    const row = ROW.exec(line)?.groups;
    if (row === undefined) return [];
    const guides = [...row.guides.matchAll(LINK)].map(({ groups }) => ({ ...groups }));
    return guides.length === 0 ? [] : [{ topic: row.topic, guides }];
  });
}

/** The decisions, in the order of `docs/architecture.md`. */
export function decisions(folder = root) {
  const text = readFileSync(join(folder, 'docs/architecture.md'), 'utf8');
  return linksOf(text)
    .map(({ target }) => target)
    .filter((target, index, all) => /^decisions\//.test(target) && all.indexOf(target) === index)
    .map((target) => `docs/${target}`);
}
