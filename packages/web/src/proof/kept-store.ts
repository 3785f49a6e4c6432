import { useSyncExternalStore } from 'react'
import type { KeptHead, KeptLog, KeptOrder, KeptPaper, KeptSeal } from './kept-records.ts'

/** The database in this browser. It belongs to this site's origin alone, and so to one operator. */
const DATABASE = 'fairball.draws'
const VERSION = 1
/** The channel to other tabs. */
const CHANNEL = 'fairball.draws'

/** The stores, and the key of each record. */
const KEYS = { logs: 'origin', heads: 'id', orders: 'attempt', papers: 'hash', seals: 'id' } as const

/** The records of each store. */
export interface Kept {
  logs: KeptLog
  heads: KeptHead
  orders: KeptOrder
  papers: KeptPaper
  seals: KeptSeal
}

type Store = keyof Kept
const STORES = Object.keys(KEYS) as Store[]
const NONE: readonly never[] = []

/** A copy of every store, for synchronous reading. */
type Copies = { [S in Store]: ReadonlyMap<string, Kept[S]> }

/**
 * This browser's record of the draw protocol, in its IndexedDB. If the browser stores nothing (a private window, a full
 * disk), records are kept until the page is left.
 */
export class KeptStore {
  readonly #factory: IDBFactory | undefined
  readonly #channel: BroadcastChannel | null
  readonly #listeners = new Set<() => void>()
  #database: Promise<IDBDatabase | null> | null = null
  #copies: Copies | null = null
  #loading: Promise<Copies> | null = null
  #lists = new Map<Store, readonly unknown[]>()

  /** @param channel announces changes between tabs; null if the browser has none */
  constructor(factory: IDBFactory | undefined, channel: BroadcastChannel | null) {
    this.#factory = factory
    this.#channel = channel
    channel?.addEventListener('message', () => {
      this.#copies = null
      void this.#load()
    })
  }

  /** All records of a store. */
  async all<S extends Store>(store: S): Promise<readonly Kept[S][]> {
    return [...(await this.#load())[store].values()]
  }

  /**
   * The records of a store known so far, without waiting: none before the first read. The same list until something
   * changes.
   */
  now<S extends Store>(store: S): readonly Kept[S][] {
    if (this.#copies === null) {
      void this.#load()
      return NONE
    }
    const list = this.#lists.get(store) ?? [...this.#copies[store].values()]
    this.#lists.set(store, list)
    return list as readonly Kept[S][]
  }

  async get<S extends Store>(store: S, key: string): Promise<Kept[S] | null> {
    return (await this.#load())[store].get(key) ?? null
  }

  /** Keeps a record in place of the one with its key. Resolves once the browser has stored it. */
  async put<S extends Store>(store: S, record: Kept[S]): Promise<void> {
    const key = (record as unknown as Record<string, string>)[KEYS[store]] ?? ''
    await this.#change(store, (records) => records.set(key, record))
    await this.#write(store, (objects) => objects.put(record))
    this.#changed()
  }

  async remove(store: Store, key: string): Promise<void> {
    await this.#change(store, (records) => records.delete(key))
    await this.#write(store, (objects) => objects.delete(key))
    this.#changed()
  }

  /** Deletes everything. */
  async forget(): Promise<void> {
    await this.#load()
    this.#copies = empty()
    for (const store of STORES) await this.#write(store, (objects) => objects.clear())
    this.#changed()
  }

  /** Calls after every change, here and in other tabs. @returns a function that ends it */
  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Changes the copy of a store. Of two changes at the same time, the second continues from the first. */
  async #change<S extends Store>(store: S, change: (records: Map<string, Kept[S]>) => unknown): Promise<void> {
    const loaded = await this.#load()
    const copies = this.#copies ?? loaded
    const records = new Map<string, Kept[S]>(copies[store])
    change(records)
    this.#copies = { ...copies, [store]: records }
  }

  #changed(): void {
    this.#tell()
    this.#channel?.postMessage(null)
  }

  #tell(): void {
    this.#lists = new Map()
    for (const listener of this.#listeners) listener()
  }

  #load(): Promise<Copies> {
    if (this.#copies !== null) return Promise.resolve(this.#copies)
    this.#loading ??= this.#readAll().then((copies) => {
      // Records written meanwhile are newer.
      this.#copies ??= copies
      this.#loading = null
      this.#tell()
      return this.#copies
    })
    return this.#loading
  }

  async #readAll(): Promise<Copies> {
    const database = await this.#open()
    const copies = empty()
    if (database === null) return copies
    for (const store of STORES) {
      const records = await answerOf(database.transaction(store).objectStore(store).getAll()).catch(() => [])
      const map = copies[store] as Map<string, unknown>
      for (const record of records as Record<string, string>[]) map.set(record[KEYS[store]] ?? '', record)
    }
    return copies
  }

  async #write(store: Store, change: (objects: IDBObjectStore) => IDBRequest): Promise<void> {
    const database = await this.#open()
    if (database === null) return
    try {
      const transaction = database.transaction(store, 'readwrite')
      change(transaction.objectStore(store))
      await completed(transaction)
    } catch {
      // No room, or not allowed: the record is kept until the page is left.
    }
  }

  #open(): Promise<IDBDatabase | null> {
    this.#database ??= opened(this.#factory).catch(() => null)
    return this.#database
  }
}

function empty(): Copies {
  return { logs: new Map(), heads: new Map(), orders: new Map(), papers: new Map(), seals: new Map() }
}

async function opened(factory: IDBFactory | undefined): Promise<IDBDatabase | null> {
  if (factory === undefined) return null
  const request = factory.open(DATABASE, VERSION)
  request.addEventListener('upgradeneeded', () => {
    for (const store of STORES) request.result.createObjectStore(store, { keyPath: KEYS[store] })
  })
  return answerOf(request)
}

function answerOf<T>(request: IDBRequest<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  request.addEventListener('success', () => resolve(request.result))
  request.addEventListener('error', () =>
    reject(new Error('A request to the database failed.', { cause: request.error })),
  )
  return promise
}

function completed(transaction: IDBTransaction): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const giveUp = () => reject(new Error('A transaction of the database failed.', { cause: transaction.error }))
  transaction.addEventListener('complete', () => resolve())
  transaction.addEventListener('abort', giveUp)
  transaction.addEventListener('error', giveUp)
  return promise
}

let ofThisBrowser: KeptStore | null = null

/** @returns the store of this browser */
export function keptStore(): KeptStore {
  ofThisBrowser ??= new KeptStore(
    // Some browsers, and pages rendered by the server, have none.
    (globalThis as { indexedDB?: IDBFactory }).indexedDB,
    'BroadcastChannel' in globalThis ? new BroadcastChannel(CHANNEL) : null,
  )
  return ofThisBrowser
}

/** @returns the records of a store; none on the server, and before they are read */
export function useKept<S extends Store>(store: S): readonly Kept[S][] {
  return useSyncExternalStore(
    (listener) => keptStore().subscribe(listener),
    () => keptStore().now(store),
    () => NONE,
  )
}
