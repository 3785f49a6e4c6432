import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'

/** Journeys move the clock of the product they use, so each of these workers has a running product of its own. Two leave two cores idle for a third of the time. */
const WORKERS = 3
/** Chosen once: Playwright reads this file again in each of its processes. */
process.env['E2E_PORTS'] ??= freePorts(2 * WORKERS)
const ports = process.env['E2E_PORTS'].split(' ')
const addresses = ports.slice(0, WORKERS).map((port, worker) => ({
  port,
  // Where this product is told that its computer sleeps (computer.ts).
  sleepPort: ports[WORKERS + worker] ?? '',
  url: `http://localhost:${port}`,
}))
/** Playwright numbers its workers in this variable, and gives the number to the one that takes a failed one's place. */
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
    // Drawing what moves takes a third of the computer's time, and tells nothing. The journeys about movement ask for it.
    contextOptions: { reducedMotion: 'reduce' },
    // It would fetch pages past the routes that a journey puts up; offline.spec.ts lets it in.
    serviceWorkers: 'block',
    // Keeping every step of the pages takes a good part of the computer's time: E2E_TRACE=1 helps to find a fault.
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
 * Ports that are free, all of them different. They lie below those that the system gives to outgoing connections
 * (32,768 to 60,999 on Linux): one of these would be taken again before a product listens on it.
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
