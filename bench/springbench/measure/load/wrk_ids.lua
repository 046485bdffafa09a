-- Asks for another row each time: ids from a seeded sequence over the whole table.
-- Arguments, after `--`: connections, the path before the id, the path after it (- for none), rows,
-- seed.
-- Each of wrk's threads has a sequence of its own; the same seed gives the same ones.
local here = debug.getinfo(1, "S").source:match("^@(.*/)") or "./"
dofile(here .. "wrk_report.lua") -- done(), which prints the summary

local threads = 0

function setup(thread)
  remember(thread)
  thread:set("number", threads)
  threads = threads + 1
end

function init(args)
  connections = tonumber(args[1])
  local before, after = args[2], args[3] == "-" and "" or args[3]
  rows = tonumber(args[4])
  math.randomseed(tonumber(args[5]) + number)
  -- formatted once: only the id differs between two requests
  local mark = "SPRINGBENCHID"
  local whole = wrk.format("GET", before .. mark .. after)
  local from, to = whole:find(mark, 1, true)
  head, tail = whole:sub(1, from - 1), whole:sub(to + 1)
end

function request()
  return head .. math.random(rows) .. tail
end
