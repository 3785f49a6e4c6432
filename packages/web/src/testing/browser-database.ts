/**
 * Stands in for the part of a browser's IndexedDB that `proof/kept-store.ts` uses: databases with stores of records,
 * whose requests and transactions answer in a later turn. Records are copied on their way in and out, as a browser
 * does.
 */
export class BrowserDatabase {
  /** Whether writing fails, as on a full disk. */
  isFull = false
  readonly #stores = new Map<string, { readonly keyPath: string; readonly records: Map<unknown, unknown> }>()

  /** As the global `indexedDB`. */
  get factory(): IDBFactory {
    return { open: () => this.#open() } as unknown as IDBFactory
  }

  #open(): IDBOpenDBRequest {
    const database = {
      createObjectStore: (name: string, { keyPath }: { keyPath: string }) =>
        this.#stores.set(name, { keyPath, records: new Map() }),
      transaction: (name: string, mode = 'readonly') => this.#transaction(name, mode),
    }
    const request = new Answer(database)
    const isNew = this.#stores.size === 0
    queueMicrotask(() => {
      if (isNew) request.dispatchEvent(new Event('upgradeneeded'))
      request.dispatchEvent(new Event('success'))
    })
    return request as unknown as IDBOpenDBRequest
  }

  #transaction(name: string, mode: string) {
    const transaction = Object.assign(new EventTarget(), { error: null, objectStore: () => this.#store(name) })
    const isRefused = this.isFull && mode === 'readwrite'
    queueMicrotask(() => transaction.dispatchEvent(new Event(isRefused ? 'abort' : 'complete')))
    return transaction
  }

  #store(name: string) {
    const store = this.#stores.get(name)
    if (store === undefined) throw new Error(`There is no store ${name}.`)
    const { keyPath, records } = store
    const change = (work: () => void) => {
      if (!this.isFull) work()
      return answered(undefined)
    }
    return {
      getAll: () => answered(structuredClone([...records.values()])),
      put: (record: Record<string, unknown>) => change(() => records.set(record[keyPath], structuredClone(record))),
      delete: (key: unknown) => change(() => records.delete(key)),
      clear: () => change(() => records.clear()),
    }
  }
}

class Answer extends EventTarget {
  readonly error = null
  readonly result: unknown

  constructor(result: unknown) {
    super()
    this.result = result
  }
}

function answered(result: unknown): Answer {
  const request = new Answer(result)
  queueMicrotask(() => request.dispatchEvent(new Event('success')))
  return request
}
