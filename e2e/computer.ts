import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import type { Page } from '@playwright/test'
import { systemNow } from './player.ts'

/** Puts the product's computer to sleep until a moment (epoch seconds), and waits until the product has caught up. */
export async function sleepUntil(page: Page, at: number): Promise<void> {
  const ports = (process.env['E2E_PORTS'] ?? '').split(' ')
  // The second half: see playwright.config.ts.
  const port = ports[ports.length / 2 + Number(process.env['TEST_PARALLEL_INDEX'] ?? 0)]
  const seconds = at - (await systemNow(page))
  const answer = await page.request.post(`http://localhost:${port}/?seconds=${seconds}`)
  if (!answer.ok()) throw new Error(`the computer cannot sleep for ${seconds} s`)
  // The demo's controls answer after all due work is done.
  await systemNow(page)
}

/**
 * Makes a page fetch again, as after a network failure: alone it follows neither jumps of the demo's clock nor the
 * product's sleep.
 */
export async function askAgain(page: Page): Promise<void> {
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
}

/**
 * Closes the lid over a tab: it is hidden, and its clock and timers stop. Its clock must be installed before it is
 * opened.
 */
export async function closeLid(tab: Page): Promise<void> {
  await setVisible(tab, 'hidden')
  // A moment that is still in the future when the tab gets it, even on a busy computer.
  await tab.clock.pauseAt((await tab.evaluate(() => Date.now())) + 2000)
}

/** Opens the lid after a number of seconds. */
export async function openLid(tab: Page, seconds: number): Promise<void> {
  await tab.clock.fastForward(seconds * 1000)
  await tab.clock.resume()
  await setVisible(tab, 'visible')
}

async function setVisible(tab: Page, state: 'visible' | 'hidden'): Promise<void> {
  await tab.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { value, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, state)
}

/** A connection between a browser and the product that can be cut: open connections break, and new ones are refused. */
interface Wire {
  /** The address of the product through this connection. */
  readonly url: string
  readonly cut: () => void
  readonly mend: () => void
  readonly close: () => void
}

/** Opens a connection to the product at an address. */
export async function layWire(to: string): Promise<Wire> {
  const ends = new Set<Socket>()
  let isCut = false
  const { port, hostname } = new URL(to)
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(end)
      end.pipe(other)
      end.on('error', () => other.destroy())
      end.on('close', () => {
        ends.delete(end)
        other.destroy()
      })
    }
    if (isCut) near.destroy()
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, hostname, resolve)
  await promise
  const cut = () => {
    isCut = true
    for (const end of ends) end.destroy()
  }
  return {
    // The address of a server that listens on a port has this type.
    url: `http://${hostname}:${(server.address() as AddressInfo).port}`,
    cut,
    mend: () => (isCut = false),
    close() {
      cut()
      server.close()
    },
  }
}
