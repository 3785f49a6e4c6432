import { fetchResults } from './kept-results.ts'
import type { KeptResults } from './kept-results.ts'
import type { WorkerScope } from './offline-worker.ts'

/** The names of all caches begin so. */
const CACHE_PREFIX = 'fairball-'
/** The key of the results in the cache; nothing is served at this address. */
const RESULTS_ADDRESS = '/offline-results.json'
/** Age from which results are fetched again, with the next page, in seconds. */
const FRESH_SECONDS = 600

/** The cache of one version of the worker: files of its page, and the last results. */
export class SiteCache {
  readonly #scope: Pick<WorkerScope, 'caches' | 'fetch'>
  readonly #name: string
  readonly #now: () => number

  /** @param now the device's time in epoch seconds */
  constructor(scope: Pick<WorkerScope, 'caches' | 'fetch'>, version: string, now: () => number) {
    this.#scope = scope
    this.#name = `${CACHE_PREFIX}${version}`
    this.#now = now
  }

  /** Fetches files to keep. */
  async fill(paths: readonly string[]): Promise<void> {
    await (await this.#open()).addAll([...paths])
  }

  /** @returns a fetched file; undefined without it */
  async file(path: string): Promise<Response | undefined> {
    return await (await this.#open()).match(path)
  }

  /** Fetches the results if they are old. Without a connection the old ones stay. */
  async keepResults(): Promise<void> {
    const cache = await this.#open()
    const before = await cache.match(RESULTS_ADDRESS)
    const age = this.#now() - Number(before?.headers.get('x-fetched-at') ?? 0)
    if (age >= 0 && age < FRESH_SECONDS) return
    try {
      const results = await fetchResults((address) =>
        this.#scope.fetch(address, { credentials: 'omit', cache: 'no-store' }),
      )
      const headers = { 'content-type': 'application/json', 'x-fetched-at': String(this.#now()) }
      await cache.put(RESULTS_ADDRESS, new Response(JSON.stringify(results), { headers }))
    } catch {
      // The next page tries again.
    }
  }

  async results(): Promise<KeptResults | null> {
    const response = await (await this.#open()).match(RESULTS_ADDRESS)
    // This worker wrote it, in this version.
    return response === undefined ? null : ((await response.json()) as KeptResults)
  }

  /** Deletes the caches of other versions. */
  async deleteOthers(): Promise<void> {
    await this.#delete((name) => name !== this.#name)
  }

  /** Deletes everything. */
  async deleteAll(): Promise<void> {
    await this.#delete(() => true)
  }

  #open(): Promise<Cache> {
    return this.#scope.caches.open(this.#name)
  }

  async #delete(isOut: (name: string) => boolean): Promise<void> {
    const { caches } = this.#scope
    const names = await caches.keys()
    await Promise.all(
      names.filter((name) => name.startsWith(CACHE_PREFIX) && isOut(name)).map((name) => caches.delete(name)),
    )
  }
}
