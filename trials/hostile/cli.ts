import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { databaseAddress, migrate, startEmbeddedPostgres } from '@fairball/server/testing/database'
import { testRuntime } from '@fairball/server/testing/runtime'
import { attack } from './attack.ts'

const HELP = `npm run hostile -- [--cases 1000] [--seed 1] [--only createPayment]   sends hostile requests to every endpoint of the OpenAPI document
                   --only path --case 17   sends one case, and shows its request and answer
                   --part 1/2              attacks every second endpoint, for two runs at once
`

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    case: { type: 'string' },
    part: { type: 'string', default: '1/1' },
    help: { type: 'boolean', default: false },
  },
})

const say = (line: string): void => void process.stdout.write(`${line}\n`)

process.exit(values.help ? (say(HELP), 0) : await main())

async function main(): Promise<number> {
  const { url, stop } = await startServer()
  try {
    const name = `hostile_${randomBytes(4).toString('hex')}`
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(`create database ${name}`)
    await client.end()
    const databaseUrl = databaseAddress(url, name)
    await migrate({ address: databaseUrl, runtime: testRuntime() })

    const [part = 1, parts = 1] = values.part.split('/').map(Number)
    const only = values.only
    let counted = 0
    const index = values.case === undefined ? undefined : Number(values.case)
    const result = await attack({
      databaseUrl,
      seed: Number(values.seed),
      cases: index === undefined ? Number(values.cases) : index + 1,
      only: (endpoint) =>
        counted++ % parts === part - 1 &&
        (only === undefined || endpoint.name === only || endpoint.path.includes(only)),
      ...(index === undefined ? {} : { index }),
      say,
    })
    for (const failure of result.failures) say(`\n✗ ${failure}`)
    const statuses = [...result.statuses].toSorted(([one], [other]) => one - other)
    say(`\n${result.endpoints} endpoints, ${result.cases} cases, ${result.seconds.toFixed(1)} s`)
    say(`statuses: ${statuses.map(([status, count]) => `${count} × ${status}`).join(', ')}`)
    say(`slowest answer: ${result.slowest.ms.toFixed(0)} ms, ${result.slowest.what}`)
    say(`${result.failures.length} failures`)
    return result.failures.length === 0 && result.cases > 0 ? 0 : 1
  } finally {
    await stop()
  }
}

/** A PostgreSQL in a temporary folder. */
async function startServer(): Promise<{ url: string; stop: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'fairball-hostile-'))
  await chmod(folder, 0o711)
  const postgres = await startEmbeddedPostgres({ dataFolder: folder, runtime: testRuntime(), isDurable: false })
  const { host, user } = postgres.address
  return {
    url: `postgres://${user}@localhost/postgres?host=${encodeURIComponent(host)}`,
    stop: async () => {
      await postgres.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
