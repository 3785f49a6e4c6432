import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'

/** Number of workers. Journeys move the clock of their product, so each worker has its own product, which costs. */
const WORKERS = 2
/** Chosen once: Playwright reads this file again in each of its processes. */
process.env['E2E_PORTS'] ??= freePorts(2 * WORKERS)
const ports = process.env['E2E_PORTS'].split(' ')
const addresses = ports.slice(0, WORKERS).map((port, worker) => ({
  port,
  // The port that puts this product's computer to sleep (computer.ts).
  sleepPort: ports[WORKERS + worker] ?? '',
  url: `http://localhost:${port}`,
}))
/** Playwright numbers its workers in this variable, and the replacement of a failed worker gets the same number. */
const own = addresses[Number(process.env['TEST_PARALLEL_INDEX'] ?? 0)]

/** Chromium's sandbox refuses to run as root; the other arguments take the same picture on every machine. */
const browserArguments = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--font-render-hinting=none',
  '--disable-dev-shm-usage',
]

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  // `npm test` plays a journey for each capability. Its variants, which tests of components and of the API cover too,
  // are played by `npm run trials journeys`.
  grepInvert: process.env['FULL_LENGTH'] === '1' ? [] : /@variant/u,
  outputDir: '../test-results',
  // The journeys of one file run in sequence.
  workers: WORKERS,
  fullyParallel: false,
  retries: 0,
  forbidOnly: process.env['CI'] !== undefined,
  timeout: 120_000, // two browsers and two products on a busy computer
  expect: { timeout: 10_000 },
  reporter: 'list',
  use: {
    baseURL: own?.url ?? '',
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    // Drawing movement takes a third of the computer's time without a benefit. The journeys about movement switch it
    // on.
    contextOptions: { reducedMotion: 'reduce' },
    // A service worker would bypass the routes of a journey; offline.spec.ts allows it.
    serviceWorkers: 'block',
    // Traces take much of the computer's time: E2E_TRACE=1 switches them on to find a fault.
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
/**
 * Free, distinct ports. They are below the system's range for outgoing connections (32,768 to 60,999 on Linux), because
 * a port in that range could be taken before a product listens on it.
 */
function freePorts(count: number): string {
  const choose = `
    const { createServer } = require('node:net')
    const { randomInt } = require('node:crypto')
    const held = []
    const hold = () => {
      if (held.length === ${count}) return done()
      const probe = createServer()
      probe.once('error', hold)
      probe.listen(randomInt(20_000, 30_000), () => { held.push(probe); hold() })
    }
    const done = () => {
      console.log(held.map((probe) => probe.address().port).join(' '))
      for (const probe of held) probe.close()
    }
    hold()`
  return execFileSync(process.execPath, ['-e', choose], { encoding: 'utf8' }).trim()
}
