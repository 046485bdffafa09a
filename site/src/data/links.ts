/** Addresses made from published data. What is not plainly a commit of a repository is no link. */

const SHA = /^[0-9a-f]{7,64}$/;

/** The page of a commit, or null where the data name no https repository or no commit. */
export function commitAddress(repository: string | null | undefined, sha: string): string | null {
  if (!repository || !SHA.test(sha)) return null;
  try {
    const address = new URL(repository);
    if (address.protocol !== "https:" || address.username || address.password) return null;
    address.search = "";
    address.hash = "";
    address.pathname = `${address.pathname.replace(/(\.git)?\/*$/, "")}/commit/${sha}`;
    return address.href;
  } catch {
    return null;
  }
}

/** The page that shows what lies between two commits, or null. */
export function compareAddress(
  repository: string | null | undefined,
  before: string,
  after: string,
): string | null {
  const commit = SHA.test(after) ? commitAddress(repository, before) : null;
  return commit?.replace(/\/commit\/([0-9a-f]+)$/, `/compare/$1...${after}`) ?? null;
}

/** The address of a run below the repository, or null. */
export function runAddress(
  repository: string | null | undefined,
  url: string | null,
): string | null {
  const [, run] = /\/actions\/runs\/([0-9]{1,20})$/.exec(url ?? "") ?? [];
  const commit = commitAddress(repository, "0000000");
  if (run === undefined || commit === null) return null;
  const address = commit.replace(/\/commit\/0000000$/, `/actions/runs/${run}`);
  return address === url ? address : null;
}
