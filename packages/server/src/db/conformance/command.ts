import { systemRuntime } from '../../runtime/system-runtime.ts'
import { DatabaseUnavailable } from '../database-errors.ts'
import { lineOf, tryEverything } from './conformance.ts'

// npm run db-conformance <DATABASE_URL>: whether this product may run on a database, PostgreSQL or another engine.

const USAGE = `Usage: npm run db-conformance <DATABASE_URL>

Tries what this product rests on, in a schema of its own that it drops; the database may be in use.
`

const { log } = systemRuntime({ logLevel: 'error' })
const [url, ...more] = process.argv.slice(2)
if (url === undefined || more.length > 0 || !/^postgres(ql)?:\/\//.test(url)) {
  process.stderr.write(USAGE)
  process.exitCode = 1
} else process.exitCode = await run(url)

async function run(address: string): Promise<number> {
  let [passed, failed] = [0, 0]
  try {
    await tryEverything(address, (outcome) => {
      if (outcome.seen === null) passed += 1
      else failed += 1
      process.stdout.write(`${lineOf(outcome)}\n`)
    })
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) log.error({ err: error }, 'the checks ended early')
    failed += 1
    process.stdout.write(
      `${lineOf({ id: 'connection', seen: error instanceof Error ? error.message : String(error) })}\n`,
    )
  }
  process.stdout.write(`${passed} passed, ${failed} failed\n`)
  return failed === 0 ? 0 : 1
}
