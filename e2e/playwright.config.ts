import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'

/** Chosen once: Playwright reads this file again in each of its processes. */
process.env['E2E_PORT'] ??= freePort()
const port = process.env['E2E_PORT']
const baseURL = `http://localhost:${port}`

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
  // One running product with one clock: the journeys move it, so they go one after the other.
  workers: 1,
  fullyParallel: false,
  retries: 0,
  forbidOnly: process.env['CI'] !== undefined,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: 'list',
  use: {
    baseURL,
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
    launchOptions: { executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium', args: browserArguments },
  },
  webServer: {
    command: `"${process.execPath}" "${join(import.meta.dirname, 'start-server.mjs')}"`,
    url: `${baseURL}/api/v1/games`,
    env: { PORT: port },
    timeout: 60_000,
    stdout: 'pipe',
    stderr: 'pipe',
    gracefulShutdown: { signal: 'SIGTERM', timeout: 20_000 },
  },
})

function freePort(): string {
  const script = 'const s = require("net").createServer().listen(0, () => { console.log(s.address().port); s.close() })'
  return execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' }).trim()
}
