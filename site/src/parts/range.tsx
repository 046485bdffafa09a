/** From where to where a number may lie, small below it. */

import { useApp } from "../app/context";
import type { Value } from "../data/values";
import { quantity } from "../words/format";

interface Props {
  readonly value: Value | null;
  readonly unit: string;
}

/** One fork has no interval, and says so. */
export function Range({ value, unit }: Props) {
  const { say } = useApp();
  if (value === null) return null;
  const edges = { low: quantity(value.low, unit), high: quantity(value.high, unit) };
  return (
    <span class="range">{value.forks > 1 ? say("interval.range", edges) : say("one-fork")}</span>
  );
}
