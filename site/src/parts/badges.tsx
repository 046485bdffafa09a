/** Pictures of what is shown, for a README elsewhere, as the Markdown that shows them. */

import { useApp } from "../app/context";
import { badgePath } from "../data/badges";
import { embedded } from "../data/embedded";
import { oneLine } from "../words/format";

export interface Badge {
  /** What the picture is of: `regressions`, or a case. */
  readonly name: string;
  /** The view that it leads to. */
  readonly to: string;
}

/** Of a page on a disk there are none: nobody could fetch them. */
export function Badges({ badges }: { readonly badges: readonly Badge[] }) {
  const { say } = useApp();
  const page = new URL(document.baseURI);
  page.hash = "";
  const shown = badges.flatMap(({ name, to }) => {
    const path = badgePath(name);
    if (path === null) return [];
    const picture = new URL(path, page).href;
    return [{ name, line: `[![${oneLine(name)}](${picture})](${page.href}${to})` }];
  });
  if (embedded() !== null || shown.length === 0) return null;
  return (
    <details>
      <summary>{say("badges")}</summary>
      <p class="quiet">{say("badges.text")}</p>
      {shown.map(({ name, line }) => (
        <p key={name} class="badge-line">
          <code>{line}</code>
        </p>
      ))}
    </details>
  );
}
