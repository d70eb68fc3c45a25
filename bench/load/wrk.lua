-- Sends the requests of a file, in order: one a line, its path and perhaps a token, parted by a tab.
-- Arguments: the file, the method, and "once" to stop after the last line instead of beginning again.
-- Each further pass over votes turns up into down and down into up, so that every vote changes something.
local lines, method, once = {}, "GET", false
local number, pass = 0, 0
local threads, first_at = {}, 0
elapsed = 0 -- microseconds from the first to the last line; global, since done() runs in another Lua

local ffi = require("ffi")
ffi.cdef("typedef struct { long s; long ns; } moment; int clock_gettime(int clock, moment *now);")

local function now()
   local moment = ffi.new("moment[1]")
   ffi.C.clock_gettime(1, moment) -- CLOCK_MONOTONIC
   return tonumber(moment[0].s) * 1e6 + tonumber(moment[0].ns) / 1e3
end

function setup(thread)
   threads[#threads + 1] = thread
end

function init(args)
   method, once = args[2], args[3] == "once"
   for line in io.lines(args[1]) do
      local path, token = line:match("^([^\t]*)\t?(.*)$")
      if method == "GET" then
         lines[#lines + 1] = wrk.format("GET", path)
      else
         local headers = { ["Host"] = wrk.headers["Host"], ["Content-Type"] = "application/json" }
         headers["Authorization"] = "Bearer " .. token
         lines[#lines + 1] = {
            wrk.format("PUT", path, headers, '{"vote": "up"}'),
            wrk.format("PUT", path, headers, '{"vote": "down"}'),
         }
      end
   end
end

function request()
   number = number + 1
   if once and number == 2 then
      first_at = now() -- wrk makes the first request before it starts, and does not send it
   end
   if number > #lines then
      if once then
         elapsed = elapsed > 0 and elapsed or now() - first_at
         wrk.thread:stop()
         number = #lines
      else
         number, pass = 1, pass + 1
      end
   end
   local line = lines[number]
   return method == "GET" and line or line[pass % 2 + 1]
end

function done(summary, latency, requests)
   local errors = summary.errors
   local failed = errors.status + errors.connect + errors.read + errors.write + errors.timeout
   local finished = threads[1]:get("elapsed")
   local duration = finished > 0 and finished or summary.duration
   io.write(string.format("RESULT %d %d %d %d %d\n", summary.requests, duration, failed,
      latency:percentile(50), latency:percentile(99)))
end
