/** The runs: the newest as a list, and one of them with all that was published of it. */

import "./run.css";
import { useApp } from "../../app/context";
import { OneRun } from "./one_run";
import { RunList } from "./run_list";

export function RunView() {
  const { asked } = useApp();
  const id = asked.get("id");
  return id ? <OneRun id={id} /> : <RunList />;
}
