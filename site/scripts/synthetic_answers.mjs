/**
 * Made-up answers to questions: what is better, worse, tied, measured once, failed and left out, and
 * where cliffs lie.
 */

const SIZES = {
  ...Object.fromEntries(
    Array.from({ length: 29 }, (_, at) => [`${64 + 16 * at}m`, `${64 + 16 * at} MiB`]),
  ),
  "1g": "1 GiB",
};

const WORDS = {
  protocols: {
    en: {
      question: "What do TLS and HTTP/2 cost, by server?",
      sentences: [
        "Compared with plain HTTP/1.1, TLS makes Jetty and Tomcat 18 to 34 % [15, 37] slower.",
        "Of the CPU, TLS makes Jetty take 22 % [20, 25] more CPU per request.",
      ],
      steps: { http1: "HTTP/1.1", https1: "TLS", h2c: "HTTP/2", h2: "HTTP/2 with TLS" },
    },
    zh: {
      question: "TLS 和 HTTP/2 在各服务器上的代价是什么？",
      sentences: [
        "与不加密的 HTTP/1.1 相比，TLS 使 Jetty 和 Tomcat 的吞吐量减少 18 至 34 % [15, 37]。",
        "CPU 方面，TLS 使 Jetty 的每请求 CPU 时间增加 22 % [20, 25]。",
      ],
      steps: { http1: "HTTP/1.1", https1: "TLS", h2c: "HTTP/2", h2: "HTTP/2 加 TLS" },
    },
  },
  waiting: {
    en: {
      question: "Behind a full thread pool: how many requests can wait a second?",
      sentences: ["Of 1,000 requests a second are answered: Tomcat 199.8 (platform threads)."],
      steps: { platform: "platform threads", virtual: "virtual threads" },
    },
    zh: {
      question: "线程池满了之后：多少请求能等上一秒？",
      sentences: ["每秒 1,000 个请求中得到响应的有：Tomcat 199.8（平台线程）。"],
      steps: { platform: "平台线程", virtual: "虚拟线程" },
      notes: ["3 轮全新进程，交替加载。", "未测量，Netty h2c：no run has it"],
    },
  },
  "memory-cliff": {
    en: {
      question: "How small can the pod be?",
      sentences: [
        "The least memory is Tomcat between 160 MiB and 176 MiB; Jetty at 64 MiB or less.",
      ],
      steps: SIZES,
    },
    zh: {
      question: "Pod 的内存可以小到多少？",
      sentences: ["最小内存：Tomcat 在 160 MiB 与 176 MiB 之间。"],
      steps: SIZES,
    },
  },
};

/** @param {number} median */
const value = (median) => ({ median, low: median * 0.98, high: median * 1.02 });

/**
 * @param {string} subject
 * @param {string} step
 * @param {number} rate
 * @param {object} [ratio]
 */
function row(subject, step, rate, ratio) {
  const values = { throughput_rps: value(rate), cpu_per_request_s: value(1 / rate) };
  const ratios = ratio ? { throughput_rps: ratio } : {};
  return {
    ...{
      case: `boot4-${subject.toLowerCase()}-virtual-jvm/hello-${step}/64`,
      subject,
      step,
      processes: 3,
    },
    ...{ values, ratios, bottleneck: "server CPU" },
  };
}

/**
 * @param {string} subject
 * @param {string} step
 * @param {boolean} failed
 */
function without(subject, step, failed) {
  const why = failed ? "it did not start within 60 s" : "no run has it";
  return { ...row(subject, step, 1), processes: 0, values: {}, not_measured: why, failed };
}

/**
 * @param {{ run: string, startedAt: string, hostClass: string }} of
 */
export function syntheticAnswers({ run, startedAt, hostClass }) {
  const common = {
    ...{ run, started_at: startedAt, host_class: hostClass, is_own: true },
    host: "Some CPU, 2 CPUs, 24,106 MiB; server on CPU 1, wrk on 0",
    rounds: 3,
    interleaved: true,
    notes: [
      "3 rounds of fresh processes, loaded alternately.",
      "not measured, Netty h2c: no run has it",
    ],
  };
  return [
    {
      ...common,
      ...{ question: "protocols", profile: "protocols", baseline: "http1" },
      commands: ["springbench ask protocols"],
      metrics: ["throughput_rps", "cpu_per_request_s"],
      ...WORDS.protocols,
      rows: [
        row("Jetty", "http1", 40_000),
        row("Jetty", "https1", 32_800, { ratio: 0.82, low: 0.8, high: 0.85, verdict: "lower" }),
        row("Jetty", "h2c", 43_200, { ratio: 1.08, low: 1.04, high: 1.12, verdict: "higher" }),
        without("Jetty", "h2", true),
        row("Tomcat", "http1", 42_000),
        row("Tomcat", "https1", 27_700, { ratio: 0.66, low: 0.63, high: 0.69, verdict: "lower" }),
        row("Tomcat", "h2c", 41_000, { ratio: 0.98, low: 0.9, high: 1.06, verdict: "tied" }),
        row("Netty", "http1", 39_000),
        row("Netty", "https1", 31_000, { ratio: 0.79, verdict: "once" }),
        without("Netty", "h2c", false),
      ],
    },
    {
      ...common,
      ...{ question: "waiting", profile: "quick", is_own: false, baseline: "platform" },
      commands: ["springbench run --profile quick"],
      metrics: ["throughput_rps"],
      ...WORDS.waiting,
      rows: [
        {
          ...row("Tomcat", "platform", 199.8),
          ...{ counted: 2, bottleneck_kind: "thread-cap" },
          bottleneck: "thread cap: 200 at once (server.tomcat.threads.max)",
        },
        { ...row("Tomcat", "virtual", 995), counted: 3 },
      ],
    },
    {
      ...common,
      ...{ question: "memory-cliff", profile: "memory-cliff", baseline: "1g" },
      commands: ["springbench run --profile memory-cliff"],
      metrics: ["throughput_rps"],
      ...WORDS["memory-cliff"],
      rows: [
        row("Tomcat", "160m", 9_000, { ratio: 0.5, low: 0.45, high: 0.55, verdict: "lower" }),
        row("Tomcat", "1g", 18_000),
      ],
      cliffs: [
        { subject: "Tomcat", low: "160m", high: "176m" },
        { subject: "Jetty", high: "64m" },
        { subject: "Undertow", low: "112m", high: "128m", leaning: "128m" },
        { subject: "Netty", undecided: "it did not start" },
      ],
    },
  ];
}

/**
 * Verdicts on two claims of bench/claims.toml, and on one that nobody knows.
 * @param {{ run: string, startedAt: string, hostClass: string }} of
 */
export function syntheticClaims({ run, startedAt, hostClass }) {
  const common = { run, started_at: startedAt, host_class: hostClass, is_own: true };
  const claimed = "throughput of one case 4.91 times that of another; agrees within 20 %";
  return [
    {
      ...{ ...common, claim: "study000-tomcat-gains", verdict: "holds", words: "holds within 2 %" },
      ...{ claimed, ratio: 4.98, low: 4.71, high: 5.2 },
    },
    {
      ...{ ...common, claim: "mvc-webflux-alike", verdict: "bottleneck", claimed },
      ...{ words: "the bottleneck was thread cap", reason: "thread cap (a case)", ratio: 1.07 },
    },
    { ...common, claim: "gone", verdict: "holds", words: "holds", claimed },
  ];
}
