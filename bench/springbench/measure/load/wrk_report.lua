-- Prints wrk's own summary as one line of JSON; times in seconds.
-- Only done() is defined: a response hook would run for each response and cost throughput.
done = function(summary, latency, requests)
  local s = 1e6
  io.write(string.format(
    'SPRINGBENCH {"duration_s":%.6f,"requests":%d,"bytes":%d,' ..
    '"errors":{"connect":%d,"read":%d,"write":%d,"status":%d,"timeout":%d},' ..
    '"latency_s":{"min":%.6f,"mean":%.6f,"stdev":%.6f,"p50":%.6f,"p90":%.6f,"p99":%.6f,"max":%.6f}}\n',
    summary.duration / s, summary.requests, summary.bytes,
    summary.errors.connect, summary.errors.read, summary.errors.write,
    summary.errors.status, summary.errors.timeout,
    latency.min / s, latency.mean / s, latency.stdev / s,
    latency:percentile(50) / s, latency:percentile(90) / s, latency:percentile(99) / s,
    latency.max / s))
end
