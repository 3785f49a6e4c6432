import { createApplication } from '../../src/main/app.ts'
import { readConfig } from '../../src/config/config.ts'
import { migrate } from '../../src/db/migrate.ts'
import { createDatabase } from '../../src/db/pool.ts'
import { explanationOf } from '../../src/main/explain.ts'
import { systemRandom, systemRuntime } from '../../src/runtime/system-runtime.ts'

// `main.ts` without the pages, which have to be built, and without an orderly end: it is killed. For tests that run
// before the build; it reads the same environment.
try {
  const read = readConfig(process.env)
  const { databaseUrl: address, publicUrl, secretKey } = read
  if (address === null || publicUrl === null) throw new Error('set DATABASE_URL and PUBLIC_URL')
  const runtime = systemRuntime({ logLevel: read.logLevel })
  await migrate({ address, runtime })
  const config = { ...read, publicUrl, secretKey: secretKey ?? systemRandom.bytes(32) }
  const db = createDatabase({ address, runtime, poolSize: config.databasePoolSize })
  const application = await createApplication({ config, runtime, db, withPages: false })
  application.startWork()
  await application.http.listen({ port: config.port, host: config.host })
  process.stdout.write(`\nFairball is ready: ${config.publicUrl}\n\n`)
} catch (error) {
  process.stderr.write(`\n${explanationOf(error)}\n`)
  process.exit(1)
}
