/** A commit as people know it. */

import { useApp } from "../app/context";
import { commitAddress } from "../data/links";
import { oneLine, shortSha } from "../words/format";

/** The commit as a link where there is one to follow, else as text. */
export function Commit({ sha }: { readonly sha: string }) {
  const { repository } = useApp();
  const address = commitAddress(repository, sha);
  const text = <code>{oneLine(shortSha(sha))}</code>;
  return address === null ? (
    text
  ) : (
    <a href={address} rel="noreferrer">
      {text}
    </a>
  );
}
