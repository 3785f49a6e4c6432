/** The key of the log's notes in the browser's cache storage. */
const CACHE = 'fairball.log'
const ADDRESS = '/fairness-log'

/** Keeps the verified log, so that only new notes have to be fetched. Its content is verified again when read. */
export interface LogStore {
  /** The notes from seq 0 on; none if nothing is kept. */
  read(): Promise<readonly string[]>
  write(notes: readonly string[]): Promise<void>
  forget(): Promise<void>
}

/** The log in the browser's cache storage; outside of secure contexts there is none, and nothing is kept. */
export const browserLogStore: LogStore = {
  async read() {
    try {
      const kept = await (await opened())?.match(ADDRESS)
      const notes: unknown = await kept?.json()
      return Array.isArray(notes) && notes.every((note) => typeof note === 'string') ? notes : []
    } catch {
      return [] // a cache that cannot be read is none
    }
  },
  async write(notes) {
    try {
      await (await opened())?.put(ADDRESS, new Response(JSON.stringify(notes)))
    } catch {
      // No room: the log is fetched again the next time.
    }
  },
  async forget() {
    if ('caches' in globalThis) await caches.delete(CACHE)
  },
}

/** Keeps a verified log, unless a longer one is kept: another tab may have come further meanwhile. */
export async function keepLog(store: LogStore, notes: readonly string[]): Promise<void> {
  const kept = await store.read()
  if (notes.length > kept.length || notes.some((note, place) => note !== kept[place])) await store.write(notes)
}

async function opened(): Promise<Cache | null> {
  return 'caches' in globalThis ? caches.open(CACHE) : null
}
