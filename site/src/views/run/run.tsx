/** The runs: the newest as a list, and one of them with all that was published of it. */

import "./run.css";
import { useApp } from "../../app/context";
import { OneRun } from "./one_run";
import { RunList } from "./run_list";

export function RunView() {
  const { query } = useApp();
  const id = query.get("id");
  return id ? <OneRun id={id} /> : <RunList />;
}
