/* Generated from bench/schema by `npm run types`. Do not edit. */

export interface DeclaredMetric {
  readonly name: string;
  readonly unit: "s" | "bytes" | "rps" | "ratio" | "count";
  readonly better: "higher" | "lower";
  readonly label: { readonly en: string; readonly zh: string };
  readonly views: {
    readonly footprint?: number;
    readonly run?: number;
    readonly scaling?: number;
  };
  readonly explains: boolean;
  readonly mostly_delay: boolean;
  readonly silent_at_zero: boolean;
  readonly reported: boolean;
}

export const METRICS: readonly DeclaredMetric[] = [
  {"name":"throughput_rps","unit":"rps","better":"higher","label":{"en":"Throughput","zh":"吞吐量"},"views":{"run":1,"scaling":1},"explains":false,"mostly_delay":true,"silent_at_zero":false,"reported":false},
  {"name":"latency_p50_s","unit":"s","better":"lower","label":{"en":"Latency p50 *","zh":"p50 延迟 *"},"views":{"run":2},"explains":false,"mostly_delay":false,"silent_at_zero":false,"reported":false},
  {"name":"latency_p99_s","unit":"s","better":"lower","label":{"en":"Latency p99 *","zh":"p99 延迟 *"},"views":{"run":3,"scaling":2},"explains":false,"mostly_delay":false,"silent_at_zero":false,"reported":false},
  {"name":"error_ratio","unit":"ratio","better":"lower","label":{"en":"Errors","zh":"错误率"},"views":{"run":6},"explains":false,"mostly_delay":false,"silent_at_zero":true,"reported":false},
  {"name":"cpu_per_request_s","unit":"s","better":"lower","label":{"en":"CPU per request","zh":"每请求 CPU 时间"},"views":{"footprint":5,"run":7},"explains":false,"mostly_delay":false,"silent_at_zero":false,"reported":false},
  {"name":"memory_peak_bytes","unit":"bytes","better":"lower","label":{"en":"Peak memory","zh":"内存峰值"},"views":{"footprint":3,"run":8,"scaling":3},"explains":false,"mostly_delay":false,"silent_at_zero":false,"reported":false},
  {"name":"threads_max","unit":"count","better":"lower","label":{"en":"Threads","zh":"线程数"},"views":{"footprint":4,"run":10},"explains":false,"mostly_delay":false,"silent_at_zero":false,"reported":false},
  {"name":"unanswered_ratio","unit":"ratio","better":"lower","label":{"en":"Connections without an answer","zh":"未获响应的连接占比"},"views":{"run":5},"explains":false,"mostly_delay":false,"silent_at_zero":true,"reported":false},
  {"name":"fairness","unit":"ratio","better":"higher","label":{"en":"Fairness to connections","zh":"连接间公平性"},"views":{},"explains":false,"mostly_delay":false,"silent_at_zero":false,"reported":false},
  {"name":"gc_pause_ratio","unit":"ratio","better":"lower","label":{"en":"Time in collector pauses","zh":"GC 暂停时间占比"},"views":{"footprint":6},"explains":false,"mostly_delay":false,"silent_at_zero":false,"reported":false},
  {"name":"startup_s","unit":"s","better":"lower","label":{"en":"Startup","zh":"启动时间"},"views":{"footprint":1,"run":11},"explains":false,"mostly_delay":false,"silent_at_zero":false,"reported":false},
  {"name":"memory_idle_bytes","unit":"bytes","better":"lower","label":{"en":"Idle memory","zh":"空闲内存"},"views":{"footprint":2,"run":9},"explains":false,"mostly_delay":false,"silent_at_zero":false,"reported":false},
  {"name":"server_cpu_ratio","unit":"ratio","better":"lower","label":{"en":"Server CPU","zh":"服务器 CPU"},"views":{},"explains":true,"mostly_delay":false,"silent_at_zero":false,"reported":false},
  {"name":"load_cpu_ratio","unit":"ratio","better":"lower","label":{"en":"Load generator CPU","zh":"压测端 CPU"},"views":{},"explains":true,"mostly_delay":false,"silent_at_zero":false,"reported":false},
  {"name":"compiler_cpu_ratio","unit":"ratio","better":"lower","label":{"en":"Compilers’ share of the CPU","zh":"编译器的 CPU 占比"},"views":{},"explains":true,"mostly_delay":false,"silent_at_zero":false,"reported":false},
  {"name":"open_loop_50_latency_p50_s","unit":"s","better":"lower","label":{"en":"Latency p50 at 50 % of capacity","zh":"50 % 容量下的 p50 延迟"},"views":{},"explains":false,"mostly_delay":true,"silent_at_zero":false,"reported":false},
  {"name":"open_loop_50_latency_p99_s","unit":"s","better":"lower","label":{"en":"Latency p99 at 50 % of capacity","zh":"50 % 容量下的 p99 延迟"},"views":{"run":4},"explains":false,"mostly_delay":true,"silent_at_zero":false,"reported":false},
  {"name":"open_loop_50_cpu_per_request_s","unit":"s","better":"lower","label":{"en":"CPU per request at 50 % of capacity","zh":"50 % 容量下的每请求 CPU 时间"},"views":{},"explains":false,"mostly_delay":false,"silent_at_zero":false,"reported":false},
  {"name":"open_loop_80_latency_p50_s","unit":"s","better":"lower","label":{"en":"Latency p50 at 80 % of capacity","zh":"80 % 容量下的 p50 延迟"},"views":{},"explains":false,"mostly_delay":true,"silent_at_zero":false,"reported":false},
  {"name":"open_loop_80_latency_p99_s","unit":"s","better":"lower","label":{"en":"Latency p99 at 80 % of capacity","zh":"80 % 容量下的 p99 延迟"},"views":{},"explains":false,"mostly_delay":true,"silent_at_zero":false,"reported":false},
  {"name":"open_loop_80_cpu_per_request_s","unit":"s","better":"lower","label":{"en":"CPU per request at 80 % of capacity","zh":"80 % 容量下的每请求 CPU 时间"},"views":{},"explains":false,"mostly_delay":false,"silent_at_zero":false,"reported":false},
  {"name":"allocated_bytes_per_request","unit":"bytes","better":"lower","label":{"en":"Allocated per request","zh":"每请求分配的内存"},"views":{},"explains":false,"mostly_delay":false,"silent_at_zero":false,"reported":false},
  {"name":"services_cpu_per_request_s","unit":"s","better":"lower","label":{"en":"CPU of services per request","zh":"所依赖服务的每请求 CPU 时间"},"views":{},"explains":false,"mostly_delay":false,"silent_at_zero":false,"reported":false},
  {"name":"reads_per_request","unit":"count","better":"lower","label":{"en":"Reads per request","zh":"每请求读调用"},"views":{},"explains":false,"mostly_delay":false,"silent_at_zero":false,"reported":false},
  {"name":"writes_per_request","unit":"count","better":"lower","label":{"en":"Writes per request","zh":"每请求写调用"},"views":{},"explains":false,"mostly_delay":false,"silent_at_zero":false,"reported":false},
  {"name":"cold_throughput_rps","unit":"rps","better":"higher","label":{"en":"Throughput of the first load","zh":"首次负载的吞吐量"},"views":{},"explains":false,"mostly_delay":false,"silent_at_zero":false,"reported":false},
  {"name":"time_to_peak_s","unit":"s","better":"lower","label":{"en":"Time to peak","zh":"达到峰值所需时间"},"views":{},"explains":false,"mostly_delay":false,"silent_at_zero":false,"reported":false},
  {"name":"requests_lost_to_peak","unit":"count","better":"lower","label":{"en":"Requests lost to peak","zh":"达到峰值前少响应的请求"},"views":{},"explains":false,"mostly_delay":false,"silent_at_zero":false,"reported":false},
  {"name":"throttled_ratio","unit":"ratio","better":"lower","label":{"en":"Throttled periods","zh":"被限流的周期占比"},"views":{},"explains":false,"mostly_delay":false,"silent_at_zero":false,"reported":false},
  {"name":"open_loop_50_latency_p999_s","unit":"s","better":"lower","label":{"en":"Latency p99.9 at 50 % of capacity","zh":"50 % 容量下的 p99.9 延迟"},"views":{},"explains":false,"mostly_delay":true,"silent_at_zero":false,"reported":false},
  {"name":"open_loop_80_latency_p999_s","unit":"s","better":"lower","label":{"en":"Latency p99.9 at 80 % of capacity","zh":"80 % 容量下的 p99.9 延迟"},"views":{},"explains":false,"mostly_delay":true,"silent_at_zero":false,"reported":false},
  {"name":"reported_time_s","unit":"s","better":"lower","label":{"en":"Time","zh":"时间"},"views":{"run":20},"explains":false,"mostly_delay":false,"silent_at_zero":false,"reported":true},
  {"name":"reported_rate_rps","unit":"rps","better":"higher","label":{"en":"Rate","zh":"速率"},"views":{"run":21},"explains":false,"mostly_delay":false,"silent_at_zero":false,"reported":true},
  {"name":"reported_size_bytes","unit":"bytes","better":"lower","label":{"en":"Bytes","zh":"字节数"},"views":{"run":22},"explains":false,"mostly_delay":false,"silent_at_zero":false,"reported":true},
  {"name":"reported_count","unit":"count","better":"lower","label":{"en":"Count","zh":"计数"},"views":{"run":23},"explains":false,"mostly_delay":false,"silent_at_zero":false,"reported":true},
  {"name":"reported_failed_ratio","unit":"ratio","better":"lower","label":{"en":"Failed","zh":"失败占比"},"views":{"run":24},"explains":false,"mostly_delay":false,"silent_at_zero":false,"reported":true},
];

/** Bottlenecks of a throughput that is not what the server can do. */
export const UNRANKED: ReadonlySet<string> = new Set(["link","load-generator","not-warmed-up"]);
