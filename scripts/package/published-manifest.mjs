// Fields that only the workspace needs. `private` keeps npm from publishing the sources by mistake.
const WORKSPACE_ONLY = ['private', 'scripts', 'devDependencies'];

/** The manifest of `libs/agent` as npm users get it. */
export function publishedManifest(manifest) {
  return Object.fromEntries(
    Object.entries(manifest).filter(([field]) => !WORKSPACE_ONLY.includes(field)),
  );
}
