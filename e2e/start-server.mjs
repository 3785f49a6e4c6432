// Runs the product like `npm start`, with its own temporary data folder, beside a real OpenID provider that replaces
// Google. The caller sets PORT and E2E_SLEEP_PORT: a POST to /?seconds=… on the latter puts the product's computer to
// sleep for that time. The product logs all it can into a file (product-log.ts); its warnings are printed at the end.
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startOpenIdProvider } from '../packages/server/test/openid-provider.ts'
import { logFileOf } from './product-log.ts'

const clientId = 'fairball-e2e'
const provider = await startOpenIdProvider({
  clientId,
  redirectUris: [`http://localhost:${process.env['PORT']}/social-login/google`],
})
const folder = mkdtempSync(join(tmpdir(), 'fairball-e2e-'))
chmodSync(folder, 0o711) // as root the database runs as another user, who must be able to enter
const main = join(import.meta.dirname, '../packages/server/src/main/main.ts')
const env = {
  ...process.env,
  NODE_ENV: 'test',
  DATA_DIR: join(folder, 'data'),
  LOG_LEVEL: 'trace',
  GOOGLE_CLIENT_ID: clientId,
  GOOGLE_API_URL: provider.issuer,
  GOOGLE_AUTH_URL: provider.authUrl,
  SUPPORT_EMAIL: 'help@example.org',
}
const sleep = new URL('computer-sleep.mjs', import.meta.url).href
const logFile = logFileOf(process.env['PORT'] ?? '')
const server = spawn(process.execPath, ['--import', sleep, main], {
  env,
  stdio: ['ignore', openSync(logFile, 'w'), 'inherit', 'ipc'],
})

const sleepPort = process.env['E2E_SLEEP_PORT']
if (sleepPort !== undefined) {
  const bed = createServer(({ url }, answer) => {
    const seconds = Number(new URL(url, 'http://localhost').searchParams.get('seconds'))
    server.send({ sleepMs: seconds * 1000 }, (error) => answer.writeHead(error === null ? 200 : 500).end())
  })
  bed.listen(Number(sleepPort), 'localhost')
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => server.kill(signal))
const QUIET = /^(?:\{"level":"(?:trace|debug|info)"|$)/
server.on('exit', (status) => {
  for (const line of readFileSync(logFile, 'utf8').split('\n')) if (!QUIET.test(line)) console.log(line)
  rmSync(folder, { recursive: true, force: true })
  rmSync(logFile, { force: true })
  process.exit(status ?? 1)
})
