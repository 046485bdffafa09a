/** Lasting changes: the list of all, or one with everything that speaks for and against it. */

import "./regressions.css";
import { useApp } from "../../app/context";
import { EventDetail } from "./event_detail";
import { EventList } from "./event_list";

export function Regressions() {
  const { query } = useApp();
  const id = query.get("event");
  return id ? <EventDetail key={id} id={id} /> : <EventList />;
}
