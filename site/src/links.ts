/** Addresses made from published data. What is not plainly a commit of a repository is no link. */

import { element } from "./dom";
import { shortSha } from "./format";

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

/** The commit as a link where there is one to follow, else as text. */
export function commitLink(repository: string | null | undefined, sha: string): HTMLElement {
  const address = commitAddress(repository, sha);
  const text = element("code", {}, shortSha(sha));
  return address === null ? text : element("a", { href: address, rel: "noreferrer" }, text);
}
