/* Generated from bench/schema by `npm run types`. Do not edit. */

/**
 * `month.json`: the runs of a month of one host class. Counts and marks are this class's own.
 *
 * `series` names the files beside it, as `<case>@<configuration>`: what is not there is not asked
 * for.
 */
export interface Month {
  schema: 2;
  class: string;
  month: string;
  commits: CommitRow[];
  runs: RunColumns;
  series: string[];
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
