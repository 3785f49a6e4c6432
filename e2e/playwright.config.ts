import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'

/** Journeys move the clock of the product they use, so each of these workers has a running product of its own. Two leave two cores idle for a third of the time. */
const WORKERS = 3
/** Chosen once: Playwright reads this file again in each of its processes. */
process.env['E2E_PORTS'] ??= freePorts()
/** Where each of these products is told that its computer sleeps (computer.ts). */
process.env['E2E_SLEEP_PORTS'] ??= freePorts()
const sleepPorts = process.env['E2E_SLEEP_PORTS'].split(' ')
const addresses = process.env['E2E_PORTS'].split(' ').map((port, worker) => ({
  port,
  sleepPort: sleepPorts[worker] ?? '',
  url: `http://localhost:${port}`,
}))
/** Playwright numbers its workers in this variable, and gives the number to the one that takes a failed one's place. */
const own = addresses[Number(process.env['TEST_PARALLEL_INDEX'] ?? 0)]

/** A process of root's cannot have Chromium's sandbox; the others take the same picture on every machine. */
const browserArguments = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--font-render-hinting=none',
  '--disable-dev-shm-usage',
]

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  outputDir: '../test-results',
  // The journeys of one file go one after the other.
  workers: WORKERS,
  fullyParallel: false,
  retries: 0,
  forbidOnly: process.env['CI'] !== undefined,
  timeout: 120_000, // three browsers and three products on a busy computer
  expect: { timeout: 10_000 },
  reporter: 'list',
  use: {
    baseURL: own?.url ?? '',
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    // It would fetch pages past the routes that a journey puts up; offline.spec.ts lets it in.
    serviceWorkers: 'block',
    // Keeping every step of the pages takes a good part of the computer's time: E2E_TRACE=1 for whoever looks for a fault.
    trace: process.env['E2E_TRACE'] === undefined ? 'off' : { mode: 'retain-on-failure', screenshots: false },
    screenshot: 'only-on-failure',
    launchOptions: { executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium', args: browserArguments },
  },
  webServer: addresses.map(({ port, sleepPort, url }) => ({
    command: `"${process.execPath}" "${join(import.meta.dirname, 'start-server.mjs')}"`,
    url: `${url}/api/v1/games`,
    env: { PORT: port, E2E_SLEEP_PORT: sleepPort },
    timeout: 120_000,
    stdout: 'pipe',
    stderr: 'pipe',
    gracefulShutdown: { signal: 'SIGTERM', timeout: 20_000 },
  })),
})

/** A free port for each worker. */
function freePorts(): string {
  return Array.from({ length: WORKERS }, freePort).join(' ')
}

function freePort(): string {
  const script = 'const s = require("net").createServer().listen(0, () => { console.log(s.address().port); s.close() })'
  return execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' }).trim()
}
