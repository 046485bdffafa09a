-- Prints the summary of a load as one line of JSON; times in seconds, the histogram in microseconds.
-- First argument of this script and of those that read it, after `--`: the number of connections.
-- No response hook: that would run for each response and cost throughput.
--
-- wrk adds to its latencies what it thinks clients could not send while they waited, by the mean
-- interval of a connection. That is no latency that anybody measured, and its mean belongs to no
-- load. The addition is exact arithmetic, and is taken back here: as many are left as there were
-- requests, or wrk's own figures stand, without a histogram.
local first_thread

function remember(thread) -- for scripts with a setup of their own
  first_thread = first_thread or thread
end

function setup(thread)
  remember(thread)
end

function init(args)
  connections = tonumber(args[1])
end

local function measured(summary, latency)
  local known, ffi = pcall(require, "ffi")
  if not known or summary.requests == 0 then
    return nil
  end
  ffi.cdef("typedef struct { uint64_t count, limit, min, max; uint64_t data[]; } wrk_stats;")
  local stats = ffi.cast("wrk_stats **", latency)[0]
  local least, most = tonumber(stats.min), tonumber(stats.max)
  if least ~= latency.min or most ~= latency.max or most >= tonumber(stats.limit) then
    return nil
  end
  local turns = math.floor(summary.requests / first_thread:get("connections"))
  local interval = turns > 0 and math.floor(summary.duration / turns) or most
  for value = most, 2 * interval, -1 do
    local count, earlier = stats.data[value], value - interval
    while count > 0 and earlier > interval do
      stats.data[earlier] = stats.data[earlier] - count
      earlier = earlier - interval
    end
  end
  local values, counts, total = {}, {}, 0
  for value = 0, most do
    local count = tonumber(stats.data[value])
    if count > 0 then
      values[#values + 1], counts[#counts + 1], total = value, count, total + count
    end
  end
  return total == summary.requests and total > 0 and values or nil, counts, total
end

local function figures(values, counts, total)
  local sum, squares = 0, 0
  for i = 1, #values do
    sum = sum + counts[i] * values[i]
  end
  local mean = sum / total
  for i = 1, #values do
    squares = squares + counts[i] * (values[i] - mean) ^ 2
  end
  local function percentile(percent)
    local seen = 0
    for i = 1, #values do
      seen = seen + counts[i]
      if seen >= percent / 100 * total then
        return values[i]
      end
    end
    return values[#values]
  end
  return values[1], mean, math.sqrt(squares / total), percentile, values[#values]
end

-- three digits of a latency are enough, and few
local function histogram(values, counts)
  local rounded, pairs_ = 0, {}
  local last, count
  for i = 1, #values do
    rounded = tonumber(string.format("%.3g", values[i]))
    if rounded ~= last then
      if last then
        pairs_[#pairs_ + 1] = string.format("[%d,%d]", last, count)
      end
      last, count = rounded, 0
    end
    count = count + counts[i]
  end
  if last then
    pairs_[#pairs_ + 1] = string.format("[%d,%d]", last, count)
  end
  return table.concat(pairs_, ",")
end

done = function(summary, latency, requests)
  local s = 1e6
  local least, mean, stdev, most = latency.min, latency.mean, latency.stdev, latency.max
  local percentile = function(percent)
    return latency:percentile(percent)
  end
  local values, counts, total = measured(summary, latency)
  if values then
    least, mean, stdev, percentile, most = figures(values, counts, total)
  end
  io.write(string.format(
    'SPRINGBENCH {"duration_s":%.6f,"requests":%d,"bytes":%d,' ..
    '"errors":{"connect":%d,"read":%d,"write":%d,"status":%d,"timeout":%d},' ..
    '"latency_s":{"min":%.6f,"mean":%.6f,"stdev":%.6f,"p50":%.6f,"p90":%.6f,"p99":%.6f,"max":%.6f},' ..
    '"latencies_us":[%s]}\n',
    summary.duration / s, summary.requests, summary.bytes,
    summary.errors.connect, summary.errors.read, summary.errors.write,
    summary.errors.status, summary.errors.timeout,
    least / s, mean / s, stdev / s,
    percentile(50) / s, percentile(90) / s, percentile(99) / s,
    most / s, values and histogram(values, counts) or ""))
end
