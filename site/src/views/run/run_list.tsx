/** The newest runs of all hosts, each a link to what was published of it. */

import { useApp, useWords } from "../../app/context";
import { hasWords } from "../../data/case_filter";
import { type RunRow, runRows } from "../../data/runs";
import { serviceWords } from "../../data/service";
import { useTyped } from "../../parts/case_filters";
import { Commit } from "../../parts/commit";
import { Downloads } from "../../parts/downloads";
import { markWords } from "../../parts/marks";
import { TableHead } from "../../parts/table_head";
import { date, moment, oneLine, subject } from "../../words/format";
import { runWords } from "./words";

export function RunList() {
  const { index, say, choose } = useApp();
  const text = useWords(runWords);
  const [typed, setTyped] = useTyped();
  const rows = runRows(index);
  const shown = rows.filter((run) => hasWords(textOf(run), typed));
  return (
    <>
      <h1>{text("list.title")}</h1>
      <p>{text("list.text", { count: rows.length, total: index.runs_total })}</p>
      <search class="filters">
        <label>
          {say("filter.words")}
          <input
            type="search"
            value={typed}
            onInput={({ currentTarget: { value } }) => setTyped(value)}
            onChange={({ currentTarget: { value } }) => choose({ q: value || undefined })}
          />
        </label>
      </search>
      {shown.length === 0 ? (
        <div class="blank">{text("list.none")}</div>
      ) : (
        <>
          <RunTable rows={shown} />
          <Downloads
            name="springbench-runs"
            rows={shown.map((run) => ({ ...run, marks: run.marks.join(" ") }))}
          />
        </>
      )}
    </>
  );
}

function textOf(run: RunRow): string {
  const { id, sha, message, author, profile, trigger, branch, marks, startedAt } = run;
  return [
    run.service,
    id,
    sha,
    message,
    author,
    profile,
    trigger,
    branch,
    ...marks,
    startedAt,
  ].join(" ");
}

const TEXT_COLUMNS = ["col.commit", "col.subject", "col.profile", "col.trigger"] as const;

function RunTable({ rows }: { readonly rows: readonly RunRow[] }) {
  const text = useWords(runWords);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
    <section class="scroll" tabIndex={0} aria-label={text("list.table")}>
      <table class="runs">
        <TableHead
          heads={[
            { words: text("col.date") },
            ...TEXT_COLUMNS.map((key) => ({ words: text(key), kind: "text" as const })),
            { words: text("col.ok") },
            { words: text("col.failed") },
            { words: text("col.marks"), kind: "text" },
          ]}
        />
        <tbody>
          {rows.map((run) => (
            <Line key={run.id} run={run} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Line({ run }: { readonly run: RunRow }) {
  const { say, to } = useApp();
  const text = useWords(runWords);
  const { id, sha, profile, trigger, marks } = run;
  return (
    <tr>
      <th scope="row">
        <a href={to("run", { id })} title={`${id}, ${moment(run.startedAt)}`}>
          {date(run.time)}
        </a>
      </th>
      <td class="text">{sha === null ? text("outside") : <Commit sha={sha} />}</td>
      <td class="text subject">{oneLine(subject(run.message))}</td>
      <td class="text">
        {oneLine([serviceWords(run.service), profile].filter(Boolean).join(", "))}
      </td>
      <td class="text">{oneLine(trigger)}</td>
      <td>{run.ok}</td>
      <td class={run.failed > 0 ? "bad" : undefined}>{run.failed}</td>
      <td class="text mark">{markWords(marks, say)}</td>
    </tr>
  );
}
