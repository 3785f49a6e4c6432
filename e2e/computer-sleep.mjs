// Loaded into the product first (`--import`): simulates a sleep of its computer and database. Afterwards the clock is
// ahead and jobs due meanwhile are late, as after a real sleep or an outage; a jump of the demo's clock passes through
// every moment in order and makes nothing late.
import Result from 'pg/lib/result.js'

const now = Date.now.bind(Date)
let sleptMs = 0
Date.now = () => now() + sleptMs

// The real database has not slept: its answers are shifted to the new time.
const { parseRow } = Result.prototype
Result.prototype.parseRow = function parseRowOfSleeper(values) {
  const row = parseRow.call(this, values)
  if (row.told_ms !== undefined) row.told_ms += BigInt(sleptMs)
  return row
}

process.on('message', (message) => {
  sleptMs += message.sleepMs
})
