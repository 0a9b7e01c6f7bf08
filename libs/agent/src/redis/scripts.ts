import { createHash } from 'node:crypto';

/** A Lua script, which Redis executes atomically. */
export interface Script {
  readonly lua: string;
  readonly sha: string;
}

/**
 * Appends a run's events. Returns the number of the last one, or -1 to a process with an older lease.
 * Skips events that Redis has, so a repeated request has no further effect. If Redis lacks events
 * before these, or another lease opened the run, the stream starts again.
 *
 * Readers receive the last number, whether the run is over, when the events were published, and in
 * further lines the new events, if they are small and complete.
 *
 * Keys: events, state. Arguments: lease, the last number before these events, whether the run is
 * over, milliseconds to keep both, the channel of the readers and its command, when the events were
 * published, the maximum bytes of the stream and of events in a message, then each event's number and
 * text.
 */
export const APPEND = scriptOf(`
local at = redis.call('HMGET', KEYS[2], 'lease', 'last', 'bytes')
local lease, last, bytes = tonumber(at[1]), tonumber(at[2]), tonumber(at[3]) or 0
if lease and lease > tonumber(ARGV[1]) then return -1 end
local before = tonumber(ARGV[2])
if lease ~= tonumber(ARGV[1]) or not last or last < before then
  redis.call('DEL', KEYS[1], KEYS[2])
  last, bytes = before, 0
end
local texts, left = {}, tonumber(ARGV[9])
for i = 10, #ARGV, 2 do
  local seq, size = tonumber(ARGV[i]), #ARGV[i + 1]
  if seq > last then
    if bytes + size > tonumber(ARGV[8]) then
      redis.call('XTRIM', KEYS[1], 'MAXLEN', 0)
      bytes = 0
    end
    redis.call('XADD', KEYS[1], ARGV[i] .. '-0', 'e', ARGV[i + 1])
    if size == 0 or seq ~= last + 1 then left = -1 end
    left = left - size
    texts[#texts + 1] = ARGV[i + 1]
    last, bytes = seq, bytes + size
  end
end
redis.call('HSET', KEYS[2], 'lease', ARGV[1], 'last', last, 'bytes', bytes, 'over', ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
redis.call('PEXPIRE', KEYS[2], ARGV[4])
local message = last .. ' ' .. ARGV[3] .. ' ' .. ARGV[7]
if left >= 0 and #texts > 0 then message = message .. '\\n' .. table.concat(texts, '\\n') end
redis.call(ARGV[6], ARGV[5], message)
return last
`);

/**
 * Reads a run's events above a number. Returns nothing if the run is unknown, otherwise the last
 * number, whether the run is over, and ids and texts of the events. Texts that are too long are
 * empty.
 *
 * Keys: events, state. Arguments: the number, the maximum of events, the maximum of bytes.
 */
export const READ = scriptOf(`
local at = redis.call('HMGET', KEYS[2], 'last', 'over')
if not at[1] then return {} end
local found, bytes, most = {}, 0, tonumber(ARGV[3])
for _, entry in ipairs(redis.call('XRANGE', KEYS[1], '(' .. ARGV[1] .. '-0', '+', 'COUNT', ARGV[2])) do
  local text = entry[2][2]
  if #text > most then text = '' end
  bytes = bytes + #text
  if bytes > most then break end
  found[#found + 1] = entry[1]
  found[#found + 1] = text
end
return { at[1], at[2] or '0', found }
`);

function scriptOf(lua: string): Script {
  return { lua, sha: createHash('sha1').update(lua).digest('hex') };
}
