import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const REPOSITORY = join(__dirname, '../..');
const ADDRESS = 'https://github.com/someone/some-name';
const FILLED = [
  'libs/agent/package.json',
  'README.md',
  'CHANGELOG.md',
  '.github/ISSUE_TEMPLATE/config.yml',
];

/** The scripts look at the repository that they lie in, so each test has one of its own. */
describe("the project's address", () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'nestjs-agent-project-'));
    const scripts = ['scripts/project', 'scripts/release', 'scripts/package/paths.mjs'];
    for (const path of [...scripts, ...FILLED]) {
      cpSync(join(REPOSITORY, path), join(root, path), { recursive: true });
    }
    const path = join(root, 'libs/agent/package.json');
    writeFileSync(path, JSON.stringify({ ...manifest(), version: '9.9.9' }));
    setAddress('');
    run('project/fill.mjs');
  });
  afterEach(() => {
    rmSync(root, { recursive: true });
  });

  function setAddress(repository: string): void {
    writeFileSync(join(root, 'project.json'), JSON.stringify({ repository }));
  }

  function run(script: string, ...args: string[]): { status: number | null; told: string } {
    const path = join(root, 'scripts', script);
    const { status, stderr } = spawnSync(process.execPath, [path, ...args], { encoding: 'utf8' });
    return { status, told: stderr };
  }

  const texts = () => FILLED.map((name) => readFileSync(join(root, name), 'utf8'));
  const manifest = () => JSON.parse(texts()[0] ?? '') as Record<string, unknown>;

  it('fills every field where it is set', () => {
    setAddress(ADDRESS);
    expect(run('project/fill.mjs', '--check')).toMatchObject({ status: 1 });
    expect(run('project/fill.mjs')).toEqual({ status: 0, told: '' });
    expect(run('project/fill.mjs', '--check')).toEqual({ status: 0, told: '' });

    expect(manifest()).toMatchObject({
      repository: { type: 'git', url: `git+${ADDRESS}.git`, directory: 'libs/agent' },
      homepage: 'https://someone.github.io/some-name/',
      bugs: { url: `${ADDRESS}/issues` },
    });
    const [, readme, changelog, contacts] = texts();
    expect(readme).toContain(`(${ADDRESS}/actions/workflows/ci.yml/badge.svg)`);
    expect(readme).toContain('(https://someone.github.io/some-name/)');
    expect(changelog).toContain(`\n[Unreleased]: ${ADDRESS}/`);
    expect(contacts).toContain(`url: ${ADDRESS}/security/advisories/new`);
  });

  it('leaves no field where it is empty, also after it was set', () => {
    const empty = texts();
    expect(Object.keys(manifest())).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(repository|homepage|bugs)$/)]),
    );
    expect(empty.join('\n')).not.toMatch(/someone|github\.io|shields\.io|advisories\/new/);

    setAddress(ADDRESS);
    run('project/fill.mjs');
    setAddress('');
    run('project/fill.mjs');

    expect(texts()).toEqual(empty);
  });

  it.each(['github.com/someone/name', `${ADDRESS}.git`, `${ADDRESS}/`, 'https://a.example/b/c'])(
    'refuses %s, which is no address of a repository',
    (address) => {
      setAddress(address);
      expect(run('project/fill.mjs')).toMatchObject({
        status: 1,
        told: expect.stringContaining(`must be https://github.com/<owner>/<name> or empty`),
      });
    },
  );

  it('is needed for a release', () => {
    expect(run('release/prepare.mjs', '0.2.0').told).toContain('Set "repository" in project.json');
    expect(run('release/check.mjs', 'v0.2.0').told).toContain("not v9.9.9, the package's version");
    expect(run('release/check.mjs', 'v9.9.9').told).toContain(
      '"repository" in project.json is empty',
    );
    setAddress(ADDRESS);
    expect(run('release/check.mjs', 'v9.9.9').told).toContain(
      'CHANGELOG.md has no heading [9.9.9]',
    );
  });

  it('is filled in by a release, with the version and its changes', () => {
    const lock = { packages: { 'libs/agent': { version: '9.9.9' }, 'libs/chat-ui': {} } };
    writeFileSync(join(root, 'package-lock.json'), JSON.stringify(lock));
    setAddress(ADDRESS);
    expect(run('release/prepare.mjs', 'next').told).toContain('npm run release -- 0.2.0');
    expect(run('release/prepare.mjs', '10.0.0')).toEqual({ status: 0, told: '' });

    expect(manifest()).toMatchObject({ version: '10.0.0', bugs: { url: `${ADDRESS}/issues` } });
    expect(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))).toEqual({
      packages: { 'libs/agent': { version: '10.0.0' }, 'libs/chat-ui': {} },
    });
    const changelog = texts()[2];
    expect(changelog).toMatch(/^## \[Unreleased\]\n\n## \[10\.0\.0\] - \d{4}-\d\d-\d\d\n/m);
    expect(changelog).toContain(`[Unreleased]: ${ADDRESS}/compare/v10.0.0...HEAD\n`);
    expect(run('release/check.mjs', 'v10.0.0')).toEqual({ status: 0, told: '' });
    expect(run('release/prepare.mjs', '10.0.1').told).toContain(
      'nothing under its unreleased heading',
    );
  });

  it('gives the site its base', () => {
    setAddress(ADDRESS);
    const projectAddresses = `import { projectAddresses } from '${root}/scripts/project/addresses.mjs';`;
    const code = `${projectAddresses} console.log(projectAddresses().siteBase)`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
      encoding: 'utf8',
    });
    expect(stdout).toBe('/some-name/\n');
  });

  it('heads the unreleased changes with the version, and finds them for the notes', () => {
    const before =
      '# Changes\n\n## [Unreleased]\n\n- new\n\n## [0.1.0]\n\n- old\n\n<!-- versions -->\n';
    // Jest cannot import a module of this form itself.
    const url = join(root, 'scripts/release/changelog.mjs');
    const code = `import(${JSON.stringify(url)}).then(({ releaseChanges, notesOf }) => {
      const after = releaseChanges(${JSON.stringify(before)}, '0.2.0', '2026-01-02');
      console.log(JSON.stringify([after, notesOf(after, '0.2.0'), notesOf(after, '0.1.0')]));
    })`;
    const { stdout } = spawnSync(process.execPath, ['-e', code], { encoding: 'utf8' });

    expect(JSON.parse(stdout)).toEqual([
      before.replace('[Unreleased]\n', '[Unreleased]\n\n## [0.2.0] - 2026-01-02\n'),
      '- new',
      '- old',
    ]);
  });
});
