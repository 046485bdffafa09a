/* Generated from bench/schema by `npm run types`. Do not edit. */

/**
 * `data/index.json`. `runs` are the newest of all host classes; their months have the rest.
 *
 * `cases` are series: a case has a row for each of the measurement configuration in which it was
 * measured.
 */
export interface Index {
  schema: 2;
  runs_total: number;
  /**
   * Whether github-action-benchmark has charts in `dev/bench/`.
   */
  charts?: boolean;
  /**
   * Which files there are in `data/compared/`.
   */
  compared?: string[];
  metrics: MetricRow[];
  cases: CaseRow[];
  classes: ClassRow[];
  commits: CommitRow[];
  runs: RunColumns;
  /**
   * Steps and drifts, the newest first: see `Event`.
   */
  events?: Event[];
}
/**
 * A metric: its unit, and which direction is better.
 */
export interface MetricRow {
  name: string;
  unit: "s" | "bytes" | "rps" | "ratio" | "count";
  better: "higher" | "lower";
}
/**
 * A case, its axes spelled out, and the measurement configuration in which it was measured.
 *
 * Of another harness, `reported` says what it is: the axes are no more than parts of the id.
 */
export interface CaseRow {
  case: string;
  configuration: string;
  boot: string;
  server: string;
  model: string;
  runtime: string;
  workload: string;
  connections: number;
  reported?: ReportedRow | null;
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
 * A host class. `points` has one count for each case of the index: how long its series is.
 *
 * One without months has compared releases, and no runs.
 */
export interface ClassRow {
  class: string;
  host: PublishedHost;
  months: MonthRow[];
  points: number[];
  latest: Latest;
  studies?: StudyRow[];
  /**
   * The newest answer to each question that was measured there.
   */
  answers?: PublishedAnswer[];
  /**
   * The newest verdict on each claim that was measured there.
   */
  claims?: PublishedClaim[];
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
 * A month that has runs, and how many.
 */
export interface MonthRow {
  month: string;
  runs: number;
}
/**
 * The newest point of each series of a host class. Columns have one entry for each of `row`.
 *
 * `row` holds indices into the cases of the index, `notes` into `texts`; `time` is the commit's,
 * `started_at` the run's. `data/runs/<run>.json.gz` has the rest.
 */
export interface Latest {
  row: number[];
  run: string[];
  started_at: string[];
  time: string[];
  sha: (string | null)[];
  marks: string[][];
  status: ("ok" | "failed" | "skipped")[];
  bottleneck: (
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
    | null
  )[];
  n: number[];
  theoretical_max_rps: (number | null)[];
  notes: number[][];
  texts: string[];
  metrics: {
    [k: string]: Columns;
  };
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
 * A published study and the newest points that match it. A column has an entry for each figure.
 *
 * `measured` holds places in the columns of `latest`; `ratio` is measured ÷ published.
 */
export interface StudyRow {
  study: string;
  measured: (number | null)[];
  ratio: (number | null)[];
  reversals?: StudyReversal[];
}
/**
 * A reversed order: in the study the figure `first` is higher than the figure `second` by the
 * ratio `there`, here it is lower by the ratio `here`.
 */
export interface StudyReversal {
  first: number;
  second: number;
  there: number;
  here: number;
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
 * Runs in order, oldest first. `commit` is an index into `commits`, null outside git.
 */
export interface RunColumns {
  id: string[];
  started_at: string[];
  commit: (number | null)[];
  profile: string[];
  trigger: string[];
  marks: string[][];
  ok: number[];
  failed: number[];
  url: (string | null)[];
  branch: (string | null)[];
  boots: {
    [k: string]: string;
  }[];
  /**
   * What of the hosts may shift a level by itself: kernel, image, JDK.
   */
  environments: string[];
  /**
   * Of each run the place in `environments`.
   */
  environment: number[];
  /**
   * The service of each run; empty for servers of Spring Boot, null where nothing tells.
   */
  service: (string | null)[];
  /**
   * How long a fixed piece of work took on the host of each run before it: how fast the host was.
   */
  cpu_probe_s?: (number | null)[] | null;
}
/**
 * One step or drift. `shared` says in words what the affected series have in common.
 */
export interface Event {
  id: string;
  kind: "step" | "drift";
  direction: "regression" | "improvement";
  state: "suspected" | "confirmed" | "unmeasured" | "acknowledged" | "fixed" | "rejected";
  culprit: Culprit;
  also?: string[];
  run: string;
  shared: string;
  affected_series: AffectedSeries[];
  affected_series_total?: number;
  changes?: EventChange[];
  evidence?: Evidence[];
  explanations?: PublishedExplanation[];
  environment_change?: string | null;
  fixed_by?: string | null;
  moved?: string | null;
  acknowledgement?: Acknowledgement | null;
  last_measured?: LastMeasured | null;
}
/**
 * The commits that an event lies between: `after` is the first that was measured on the new
 * level, `before` the last on the old one. `exact` where nothing lies between them.
 */
export interface Culprit {
  before: CommitRow;
  after: CommitRow;
  exact?: boolean;
}
/**
 * A series that an event touches, with its levels; ratios are after ÷ before.
 *
 * The levels are None, and the measurement configuration `compare`, where only a comparison has
 * seen it.
 */
export interface AffectedSeries {
  case: string;
  configuration: string;
  host_class: string;
  metric: string;
  unit: "s" | "bytes" | "rps" | "ratio" | "count" | "bytes_per_s";
  better: "higher" | "lower";
  before?: number | null;
  after?: number | null;
  ratio: number;
  low_ratio: number;
  high_ratio: number;
}
/**
 * What an event did to a metric: its ratio after ÷ before, over so many series.
 *
 * Of one series `low_ratio` and `high_ratio` are its interval, of several the least and the
 * greatest ratio.
 */
export interface EventChange {
  metric: string;
  ratio: number;
  low_ratio: number;
  high_ratio: number;
  series: number;
}
/**
 * What a comparison in pairs says of an event: ratios are head ÷ base, the interval at 95 %.
 */
export interface Evidence {
  comparison: string;
  base: string;
  head: string;
  host_class: string;
  case: string;
  metric: string;
  ratio: number;
  low_ratio: number;
  high_ratio: number;
  pairs: number;
  agrees?: boolean | null;
  independent?: boolean;
  url?: string | null;
}
/**
 * Why head is worse in a case: what grew in its profile, in a sentence.
 */
export interface PublishedExplanation {
  case: string;
  event: "cpu" | "alloc";
  text: string;
}
/**
 * Why an event is to stay as it is, from the file in the repository.
 */
export interface Acknowledgement {
  reason: string;
  by?: string | null;
}
/**
 * The newest run of any series that an event touches, its commit, and what the event was then.
 *
 * `time` is the commit's, or when the run began where there is none.
 */
export interface LastMeasured {
  run: string;
  sha?: string | null;
  time: string;
  state: "suspected" | "confirmed" | "unmeasured" | "acknowledged" | "fixed" | "rejected";
}
