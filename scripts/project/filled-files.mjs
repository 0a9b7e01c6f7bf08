/** The files that contain an address of the project, each with the function that inserts it. */
export const filledFiles = {
  'libs/agent/package.json': fillManifest,
  'README.md': fillBadges,
  'CHANGELOG.md': fillVersions,
  '.github/ISSUE_TEMPLATE/config.yml': fillContacts,
};

const ADDRESSES = new Set(['repository', 'homepage', 'bugs']);

function fillManifest(text, addresses) {
  const kept = Object.entries(JSON.parse(text)).filter(([field]) => !ADDRESSES.has(field));
  const fields = addresses && {
    repository: {
      type: 'git',
      url: `git+${addresses.repository}.git`,
      directory: 'libs/agent',
    },
    homepage: addresses.site,
    bugs: { url: addresses.issues },
  };
  return `${JSON.stringify({ ...Object.fromEntries(kept), ...fields }, null, 2)}\n`;
}

function fillBadges(text, addresses) {
  const lines = addresses && [
    `[![Tests](${addresses.workflow}/badge.svg)](${addresses.workflow})`,
    `[![npm](https://img.shields.io/npm/v/nestjs-agent)](https://www.npmjs.com/package/nestjs-agent)`,
    `[Documentation](${addresses.site})`,
  ];
  return between(text, 'project', lines);
}

/** Adds links that compare two versions to the headings. */
function fillVersions(text, addresses) {
  const versions = [...text.matchAll(/^## \[(?<version>[^\]]+)\]/gm)].map(
    ({ groups }) => groups.version,
  );
  const lines = versions.map((version, index) => {
    const [later, earlier] = [version, versions[index + 1]].map((name) =>
      name === 'Unreleased' ? 'HEAD' : name && `v${name}`,
    );
    const range = earlier === undefined ? `commits/${later}` : `compare/${earlier}...${later}`;
    return `[${version}]: ${addresses?.repository}/${range}`;
  });
  return between(text, 'versions', addresses && lines);
}

function fillContacts(text, addresses) {
  const [kept] = text.split('contact_links:');
  if (addresses === undefined) return kept;
  return [
    `${kept}contact_links:`,
    '  - name: Documentation',
    `    url: ${addresses.site}`,
    '    about: Guides and reference',
    '  - name: Vulnerability',
    `    url: ${addresses.advisories}`,
    '    about: Please report vulnerabilities in private',
    '',
  ].join('\n');
}

/** @throws Error if the marks are missing, so that no field is omitted silently */
function between(text, name, lines = []) {
  const marks = new RegExp(`(<!-- ${name} -->\\n)[^]*?(<!-- /${name} -->)`);
  if (!marks.test(text)) throw new Error(`There are no marks <!-- ${name} --> to fill.`);
  return text.replace(marks, (_, begin, end) =>
    lines.length === 0 ? `${begin}${end}` : `${begin}\n${lines.join('\n')}\n\n${end}`,
  );
}
