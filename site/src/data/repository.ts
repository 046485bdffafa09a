/** Which repository the commits belong to: never taken from the published data. */

/**
 * The address given when the page was built, else what a GitHub Pages address implies:
 * `https://owner.github.io/name/` shows `https://github.com/owner/name`. Null where unknown.
 */
export function repositoryOf(page: URL, built: string | undefined): string | null {
  if (built) return built;
  const owner = /^([a-z0-9-]+)\.github\.io$/.exec(page.hostname)?.[1];
  if (owner === undefined) return null;
  const name = page.pathname.split("/").filter(Boolean)[0];
  return `https://github.com/${owner}/${name ?? page.hostname}`;
}

/** What the dashboard is called: as its repository is, where one is known. */
export function nameOf(repository: string | null): string {
  return repository?.split("/").filter(Boolean).at(-1) ?? "springbench";
}
