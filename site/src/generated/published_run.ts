/* Generated from bench/schema by `npm run types`. Do not edit. */

/**
 * `data/runs/<run>.json.gz`. Each column of `metrics` has one number for each of `cases`.
 */
export interface PublishedRun {
  schema: 2;
  id: string;
  started_at: string;
  finished_at?: string | null;
  profile: string;
  trigger: string;
  url?: string | null;
  commit?: PublishedCommit | null;
  marks: string[];
  shards: PublishedShard[];
  cases: PublishedCase[];
  metrics: {
    [k: string]: Columns;
  };
  rankings?: PublishedRanking[];
  answers?: PublishedAnswer[];
  claims?: PublishedClaim[];
}
/**
 * The commit that was measured; `message` is its first line.
 */
export interface PublishedCommit {
  sha: string;
  time: string;
  message: string;
  author: string;
  branch?: string | null;
  dirty: boolean;
}
/**
 * The part of a run that one host measured.
 */
export interface PublishedShard {
  run: string;
  started_at: string;
  finished_at?: string | null;
  measured_s: number;
  host: PublishedHost;
  tools: PublishedTools;
  canary_cpu_probe_s?: number | null;
  canary_error_ratio?: number | null;
  marks: string[];
  warnings?: string[];
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
 * One case of a run; `shard` is an index into the run's shards, `n` the forks that count.
 */
export interface PublishedCase {
  case: string;
  configuration: string;
  boot: string;
  server: string;
  model: string;
  runtime: string;
  workload: string;
  connections: number;
  reported?: ReportedRow | null;
  shard: number;
  status: "ok" | "failed" | "skipped";
  reason?: string | null;
  n: number;
  theoretical_max_rps?: number | null;
  bottleneck?:
    | (
        | "server-cpu"
        | "cpu-quota"
        | "thread-cap"
        | "memory"
        | "latency"
        | "load-generator"
        | "link"
        | "upstream"
        | "backlog"
        | "database-pool"
        | "cpu-waves"
        | "errors"
        | "not-warmed-up"
        | "unknown"
      )
    | null;
  warnings: string[];
  notes?: string[];
  distributions?: PublishedDistribution[] | null;
}
/**
 * What another harness has measured, in the words of its file.
 *
 * `harness` is `JMH`; `figure` is what of the benchmark, such as `average time`; `unit` is that of
 * the file, such as `us/op`. Numbers of the history are in base units all the same.
 */
export interface ReportedRow {
  harness: string;
  benchmark: string;
  parameters?: {
    [k: string]: string;
  };
  figure: string;
  unit: string;
}
/**
 * Latencies of a case at a constant rate, of `n` forks that count.
 *
 * Each column of `latency_s` has one number for each of `percent`: the middle one of the forks,
 * the least and the most, in seconds.
 */
export interface PublishedDistribution {
  capacity_percent: 50 | 80;
  offered_rps: number;
  n: number;
  percent: number[];
  latency_s: Columns;
}
/**
 * One metric of several points: medians, and their intervals at 95 %.
 */
export interface Columns {
  median: (number | null)[];
  low: (number | null)[];
  high: (number | null)[];
}
/**
 * The order of the cases of one load by one metric, as the run concluded it, the best first.
 *
 * `case` holds indices into the run's cases; the other columns have one entry for each of these:
 * the rank range, and the ratio to the best. Its interval, `low` to `high`, is published of a
 * throughput alone, as a history is to stay small.
 */
export interface PublishedRanking {
  metric: string;
  rounds: number;
  interleaved: boolean;
  spread_ratio: number;
  case: number[];
  first: number[];
  last: number[];
  ratio: number[];
  low?: number[];
  high?: number[];
}
/**
 * What a run answers to a question, as `springbench ask` prints it.
 *
 * `rows` are in the order of the ladder, subject after subject. `rounds`: the most in which steps
 * of one subject met; `interleaved`: whether they were loaded alternately. `notes` say how sure it
 * is, what was not measured or is no evidence, and where it is from. `commands` measure it again.
 * `cliffs`: one of each subject, where the question looks for the least step that is enough.
 */
export interface PublishedAnswer {
  host_class: string;
  run: string;
  started_at: string;
  is_own: boolean;
  question: string;
  host: string;
  commands: string[];
  baseline: string;
  metrics: string[];
  rounds: number;
  interleaved: boolean;
  en: AnswerWords;
  zh?: AnswerWords | null;
  rows: AnsweredRow[];
  cliffs?: PublishedCliff[];
  notes: string[];
}
/**
 * An answer in one language: the question, its sentences, what its steps are called, and its
 * notes where they are not those of the answer.
 */
export interface AnswerWords {
  question: string;
  sentences: string[];
  steps: {
    [k: string]: string;
  };
  notes?: string[];
}
/**
 * A step of one subject (a server, mostly), with what is known of each metric.
 *
 * `processes` were started, and of `counted` the load is evidence (null: that was not kept).
 * `not_measured` says why nothing is known; `failed`: it did not start, or ended under load.
 */
export interface AnsweredRow {
  case: string;
  subject: string;
  step: string;
  processes: number;
  counted?: number | null;
  values?: {
    [k: string]: AnsweredValue;
  };
  ratios?: {
    [k: string]: AnsweredRatio;
  };
  bottleneck?: string | null;
  bottleneck_kind?:
    | (
        | "server-cpu"
        | "cpu-quota"
        | "thread-cap"
        | "memory"
        | "latency"
        | "load-generator"
        | "link"
        | "upstream"
        | "backlog"
        | "database-pool"
        | "cpu-waves"
        | "errors"
        | "not-warmed-up"
        | "unknown"
      )
    | null;
  not_measured?: string | null;
  failed?: boolean;
}
/**
 * The median of a metric over processes, and its interval at 95 %, in its base unit.
 */
export interface AnsweredValue {
  median: number;
  low: number;
  high: number;
}
/**
 * A step ÷ the baseline, and its interval at 95 %; no edges where one round alone has both.
 */
export interface AnsweredRatio {
  ratio: number;
  low?: number | null;
  high?: number | null;
  verdict: "higher" | "lower" | "tied" | "once" | "failed" | "unknown";
}
/**
 * Where a subject has its cliff: above the step `low` and at most at `high`.
 *
 * Without `low` even the least step has what is looked for, without `high` not even the baseline.
 * `undecided` says why it was not narrowed down to two neighbours, `leaning` which end is decided
 * by the middle of its interval alone.
 */
export interface PublishedCliff {
  subject: string;
  low?: string | null;
  high?: string | null;
  undecided?: string | null;
  leaning?: string | null;
}
/**
 * Whether a run agrees with what others have published, as `springbench claims` prints it.
 *
 * `words` are the verdict in a few words, `reason` says why; `ratio` is what was measured, with
 * its interval at 95 %, and `claimed` what was published.
 */
export interface PublishedClaim {
  host_class: string;
  run: string;
  started_at: string;
  is_own: boolean;
  claim: string;
  verdict: "holds" | "does-not-hold" | "bottleneck" | "not-warmed-up" | "undecided";
  words: string;
  reason?: string | null;
  claimed: string;
  ratio?: number | null;
  low?: number | null;
  high?: number | null;
}
