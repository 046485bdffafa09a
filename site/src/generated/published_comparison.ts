/* Generated from bench/schema by `npm run types`. Do not edit. */

/**
 * The whole file. `base` and `head` are commits, in short as everywhere in a history.
 *
 * `java_options` are those that its profile gave both sides. `marks` say why it is worth less:
 * `drifted`, `unfinished`, `shared-host`, and what `--mark` gave.
 */
export interface PublishedComparison {
  schema?: 1;
  id: string;
  purpose: "push" | "confirm" | "bisect" | "manual";
  started_at: string;
  finished_at?: string | null;
  profile: string;
  java_options?: string[];
  url?: string | null;
  marks?: string[];
  base: CommitRow;
  head: CommitRow;
  commits?: number | null;
  host: PublishedHost;
  tools: PublishedTools;
  findings: PublishedFinding[];
  facts?: FactRecord[];
  explanations?: PublishedExplanation[];
  warnings?: string[];
}
/**
 * A commit in short: twelve digits of its hash, and the first line of its message.
 */
export interface CommitRow {
  sha: string;
  time: string;
  message: string;
  author: string;
}
/**
 * The machine of a shard, as far as it tells numbers apart.
 */
export interface PublishedHost {
  class: string;
  fingerprint: string;
  cpu_model: string;
  cores: number;
  memory_bytes: number;
  os: string;
  kernel: string;
  virtualisation?: string | null;
  server_cpus: number;
  memory_limit_bytes: number;
  cpus_enforced_by: string;
  memory_enforced_by: string;
}
/**
 * The versions of what measured.
 */
export interface PublishedTools {
  jdk: string;
  wrk: string;
  harness?: string | null;
  oha?: string | null;
  h2load?: string | null;
  springbench: string;
  boots?: {
    [k: string]: string;
  };
  jdks?: {
    [k: string]: string;
  };
}
/**
 * A statement about a metric of a case. Ratios are head ÷ base, the interval at 95 %.
 */
export interface PublishedFinding {
  case: string;
  metric: string;
  unit: "s" | "bytes" | "rps" | "ratio" | "count" | "bytes_per_s";
  better: "higher" | "lower";
  ratio: number;
  low_ratio: number;
  high_ratio: number;
  p_value: number;
  pairs: number;
  verdict: "regression" | "suspected" | "improvement" | "changed" | "unchanged" | "undecided";
  note?: string | null;
}
/**
 * A statement about a case, or a variant, that is no ratio of noisy numbers.
 *
 * Sides that failed, errors and slow answers that were counted, and what is the same each time: an
 * answer's size and headers, an artifact's size, what limits a throughput. `base` and `head` are
 * words.
 */
export interface FactRecord {
  case: string;
  metric:
    | "failed"
    | "errors"
    | "slow"
    | "methods"
    | "answer_bytes"
    | "headers"
    | "queries"
    | "artifact_bytes"
    | "collector"
    | "bottleneck";
  base: string;
  head: string;
  verdict: "regression" | "suspected" | "improvement" | "changed" | "unchanged" | "undecided";
  worse?: boolean;
  note?: string | null;
}
/**
 * Why head is worse in a case: what grew in its profile, in a sentence.
 */
export interface PublishedExplanation {
  case: string;
  event: "cpu" | "alloc";
  text: string;
}
