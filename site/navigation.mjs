import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decisions, guidesByTopic } from '../scripts/docs/guides.mjs';
import { root } from '../scripts/package/paths.mjs';
import { pageOf } from './links.mjs';

// Made by programs, so no document of the repository lists them.
const MADE = [
  { text: 'API of the package', link: '/api/index.html', target: '_self' },
  { text: 'HTTP API of the demo', link: '/openapi.html' },
];

export function navigation(version) {
  return [
    { text: 'Guides', link: '/start.html', activeMatch: '^/(?!openapi|changelog)' },
    { text: 'API', items: MADE },
    {
      text: `v${version}`,
      items: [
        { text: 'Changes', link: '/changelog.html' },
        { text: 'Stability', link: '/stability.html' },
        { text: 'Contributing', link: '/contributing.html' },
      ],
    },
  ];
}

/** The README's table of guides, what programs made, and the decisions. */
export function sidebar() {
  const topics = guidesByTopic().map(({ topic, guides }) => ({
    text: topic,
    items: guides.map(({ title, file }) => ({ text: title, link: linkOf(file) })),
  }));
  const reference = topics.find(({ text }) => text === 'Reference');
  if (reference === undefined) throw new Error("The README's guides have no topic Reference.");
  reference.items.push(...MADE);
  return [
    ...topics,
    {
      text: 'Decisions',
      collapsed: true,
      items: decisions().map((file) => ({ text: titleOf(file), link: linkOf(file) })),
    },
  ];
}

function linkOf(file) {
  return `/${pageOf(file).replace(/\.md$/, '.html')}`;
}

function titleOf(file) {
  return /^# (?:\d+\. )?(?<title>.+)$/m.exec(readFileSync(join(root, file), 'utf8')).groups.title;
}
