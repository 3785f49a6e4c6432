import type { Page } from './page-answer.ts'

/** How long a page answers before it is rendered again, in ms. */
const FRESH_MS = 1000
/** The most that the texts of all kept pages take, in bytes; compressed they take about half as much again. */
const LARGEST = 32 * 2 ** 20

/** A page, or another answer of the renderer, such as a redirect. */
type Made<Other> = { readonly page: Page } | { readonly other: Other }

/**
 * Keeps the pages that are the same for every visitor. Each is rendered at most once a second: requests that come
 * meanwhile wait for the same rendering. The least recently requested one is dropped first. Only pages with status 200
 * are kept; one with the same content as before keeps what was compressed.
 *
 * @param nowMs the lottery's time: pages of a time that was left are not shown
 */
export function pageCache<Other>(nowMs: () => number, largest = LARGEST) {
  const kept = new Map<string, { readonly page: Page; readonly madeAt: number }>()
  const making = new Map<string, Promise<Made<Other>>>()
  let size = 0

  function drop(address: string): void {
    size -= kept.get(address)?.page.size ?? 0
    kept.delete(address)
  }

  function keep(address: string, page: Page, madeAt: number): Page {
    const before = kept.get(address)?.page
    const same = before?.hash === page.hash ? before : page
    drop(address)
    kept.set(address, { page: same, madeAt })
    size += same.size
    for (const oldest of kept.keys()) {
      if (size <= largest) break
      drop(oldest)
    }
    return same
  }

  async function make(address: string, render: () => Promise<Made<Other>>): Promise<Made<Other>> {
    const madeAt = nowMs()
    const made = await render()
    if ('other' in made || made.page.status !== 200) return made
    return { page: keep(address, made.page, madeAt) }
  }

  return {
    /** @returns the page of an address if it was rendered less than a second ago; otherwise null */
    present(address: string): Page | null {
      const known = kept.get(address)
      const age = known === undefined ? FRESH_MS : nowMs() - known.madeAt
      if (known === undefined || age < 0 || age >= FRESH_MS) return null
      kept.delete(address)
      kept.set(address, known)
      return known.page
    },
    /** @returns what is being rendered for an address at this moment; undefined for nothing */
    coming: (address: string): Promise<Made<Other>> | undefined => making.get(address),
    /** Renders a page for all who wait for it. */
    make(address: string, render: () => Promise<Made<Other>>): Promise<Made<Other>> {
      const coming = make(address, render).finally(() => making.delete(address))
      making.set(address, coming)
      return coming
    },
  }
}
