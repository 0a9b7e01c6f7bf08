const UNRELEASED = '## [Unreleased]\n';

/**
 * The changelog with the unreleased entries under a heading of their version, and an empty first
 * section.
 */
export function releaseChanges(changelog, version, date) {
  if (notesOf(changelog, 'Unreleased') === '') {
    throw new Error('CHANGELOG.md has nothing under its unreleased heading.');
  }
  return changelog.replace(UNRELEASED, `${UNRELEASED}\n## [${version}] - ${date}\n`);
}

/**
 * The changelog's section of a version.
 *
 * @throws Error if it has no such heading
 */
export function notesOf(changelog, version) {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((text) => text.startsWith(`[${version}]`));
  if (section === undefined) throw new Error(`CHANGELOG.md has no heading [${version}].`);
  const [body] = section.slice(section.indexOf('\n')).split('<!-- versions -->');
  return body.trim();
}
