/** What options both sides of a comparison had, and what the first compiler alone means. */

import { useApp } from "../app/context";
import { oneLine } from "../words/format";

const FIRST_COMPILER = "-XX:TieredStopAtLevel=1";

export function OptionWords({ options }: { readonly options: readonly string[] }) {
  const { say } = useApp();
  return (
    <span class="quiet">
      {say("java-options", { options: oneLine(options.join(" ")) })}
      {options.includes(FIRST_COMPILER) && ` ${say("java-options.c1")}`}
    </span>
  );
}
