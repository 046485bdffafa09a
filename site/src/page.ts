/** The page for one choice: picker, tables and chart. Draws again when the choice changes. */

import { conditionsWords, variantWords } from "./cases";
import type { Choice } from "./choice";
import type { CaseRow, ClassRow, Index } from "./contract";
import { byId, element } from "./dom";
import { metricName, quantity } from "./format";
import { latestTables } from "./latest";
import { drawLatest } from "./latest_table";
import { Problem } from "./load";
import { notice } from "./notice";
import { drawPicker } from "./picker";
import type { Point } from "./points";
import { hostWords, runWords } from "./run_words";
import { loadStretch, type Stretch } from "./series";
import { casesOf, settle } from "./settle";
import type { DrawnTrend } from "./trend";

/** So many runs are fetched at first; older ones on request. */
const FIRST_RUNS = 200;

export class Page {
  private drawn: DrawnTrend | null = null;
  private turn = 0;

  constructor(
    private readonly index: Index,
    private readonly repository: string | null,
    private readonly chosen: (choice: Choice) => void,
  ) {}

  /** Draw what comes closest to `asked`. False when the history has nothing to draw. */
  show(asked: Partial<Choice>): boolean {
    const settled = settle(this.index, asked);
    if (settled === null) return false;
    const { row, choice } = settled;
    const form = byId("picker") as HTMLFormElement;
    drawPicker(form, this.offer(row), choice, this.chosen);
    byId("run").replaceChildren(runWords(this.index, row, this.repository));
    byId("tables").replaceChildren(drawLatest(latestTables(this.index, row), choice));
    void this.drawSeries(row, choice, FIRST_RUNS);
    return true;
  }

  private offer(row: ClassRow) {
    return {
      cases: casesOf(this.index, row),
      metrics: this.index.metrics.map(({ name }) => name),
      hosts: this.index.classes.map((each) => ({ id: each.class, words: hostWords(each) })),
    };
  }

  private async drawSeries(row: ClassRow, choice: Choice, wanted: number): Promise<void> {
    this.turn += 1;
    const turn = this.turn;
    const place = byId("trend");
    place.setAttribute("aria-busy", "true");
    try {
      const [stretch, library] = await Promise.all([
        loadStretch(row, choice, wanted),
        loadLibrary(),
      ]);
      if (turn !== this.turn) return;
      this.drawn?.dispose();
      this.drawn = null;
      const { points } = stretch;
      const lost = stretch.lost.map(notice);
      if (points.every(({ median }) => median === null)) {
        place.replaceChildren(...lost, nothing(points), ...this.older(row, choice, stretch));
        return;
      }
      this.drawn = library.trend({ ...this.describe(choice), points, repository: this.repository });
      place.replaceChildren(...lost, this.drawn.element, ...this.older(row, choice, stretch));
      this.drawn.draw();
    } catch (problem) {
      if (turn === this.turn) place.replaceChildren(notice(problem));
    } finally {
      if (turn === this.turn) place.removeAttribute("aria-busy");
    }
  }

  private describe(choice: Choice) {
    const of = this.index.cases.find(
      (each) => each.case === choice.case && each.conditions === choice.how,
    );
    const metric = this.index.metrics.find(({ name }) => name === choice.metric);
    return {
      title: `${metricName(choice.metric)}: ${of ? caseWords(of) : choice.case}`,
      unit: metric?.unit ?? "count",
      better: metric?.better ?? "",
    };
  }

  private older(row: ClassRow, choice: Choice, stretch: Stretch): readonly HTMLElement[] {
    if (stretch.older === 0) return [];
    const button = element("button", { type: "button", class: "older" }, "Show older runs");
    button.onclick = () => {
      button.disabled = true;
      const runs = row.chunks.reduce((sum, chunk) => sum + chunk.runs, 0);
      const shown = row.chunks.slice(stretch.older).reduce((sum, chunk) => sum + chunk.runs, 0);
      void this.drawSeries(row, choice, Math.min(runs, shown * 4));
    };
    return [button];
  }
}

async function loadLibrary() {
  try {
    return await import("./trend");
  } catch {
    throw new Problem(
      "The chart's code could not be loaded.",
      "Reload the page: a newer one may have been deployed since.",
    );
  }
}

function caseWords(of: CaseRow): string {
  const load = `${of.workload} at ${quantity(of.connections, "count")} connections`;
  return `${variantWords(of)}, ${load} (${conditionsWords(of.conditions)})`;
}

function nothing(points: readonly Point[]): HTMLElement {
  const why =
    points.length === 0
      ? "No run has measured this case lately."
      : "No run of this case could take this metric.";
  return element("p", { class: "chart blank" }, `${why} Choose another case or metric.`);
}
