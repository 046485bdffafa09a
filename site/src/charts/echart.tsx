/** A canvas of ECharts: made when it is seen first, drawn anew for another size, option or theme. */

import type { EChartsCoreOption } from "echarts/core";
import { useEffect, useRef, useState } from "preact/hooks";
import { useApp } from "../app/context";
import { Problem } from "../data/load";
import { Notice } from "../parts/notice";
import { type Colours, colours } from "./colours";
import type { Chart } from "./echarts";

export interface Size {
  readonly width_px: number;
  readonly height_px: number;
  /** Kept free at the top, such as for a title. */
  readonly head_px?: number;
}

interface Props {
  /** What the chart shows, for those who do not see it. */
  readonly label: string;
  /** What is drawn; the same function as long as nothing has changed. */
  readonly option: (palette: Colours, size: Size) => EChartsCoreOption;
}

export function EChart({ label, option }: Props) {
  const { say, theme } = useApp();
  const box = useRef<HTMLDivElement>(null);
  const [chart, setChart] = useState<Chart | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  useEffect(() => {
    let instance: Chart | null = null;
    let active = true;
    import("./echarts").then(
      ({ begin }) => {
        if (!active || box.current === null) return;
        instance = begin(box.current);
        setChart(instance);
      },
      () => active && setProblem(new Problem("problem.code", {})),
    );
    return () => {
      active = false;
      instance?.dispose();
    };
  }, []);
  useEffect(() => {
    const on = box.current;
    if (chart === null || on === null) return;
    const draw = () => {
      chart.resize();
      const size = { width_px: on.clientWidth, height_px: on.clientHeight };
      chart.setOption(option(colours(), size), { notMerge: true });
    };
    // tells the size at once, and after each change
    const watch = new ResizeObserver(draw);
    watch.observe(on);
    return () => watch.disconnect();
  }, [chart, option, theme]);
  if (problem !== null) return <Notice problem={problem} say={say} />;
  return <div class="chart" ref={box} role="img" aria-label={label} />;
}
