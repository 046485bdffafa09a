-- Has connections ask for the first time one after the other, so that equal waits do not end together.
-- Arguments, after `--`: connections, those of a thread, threads, milliseconds until all have asked.
local here = debug.getinfo(1, "S").source:match("^@(.*/)") or "./"
dofile(here .. "wrk_report.lua") -- done(), which prints the summary

local threads = 0
local asked = 0
local each, step_ms, first_ms

function setup(thread)
  remember(thread)
  thread:set("number", threads)
  threads = threads + 1
end

function init(args)
  connections = tonumber(args[1])
  each = tonumber(args[2])
  step_ms = tonumber(args[4]) / each
  first_ms = step_ms * number / tonumber(args[3])
end

-- wrk asks before each request; only the first of each connection waits
function delay()
  if asked == each then
    return 0
  end
  asked = asked + 1
  return math.floor(first_ms + (asked - 1) * step_ms)
end
