/** A passkey made by the page itself, which only the demo takes: its private half cannot be read out. */
export interface TestKey {
  /** in base64url */
  readonly id: string
  readonly host: string
  /** the person's handle, in base64url */
  readonly user: string
  readonly userName: string
  readonly label: string
  readonly key: CryptoKey
  /** how often it has signed */
  readonly count: number
}

/** Where the page keeps its keys. */
export interface TestKeys {
  list(): Promise<readonly TestKey[]>
  put(key: TestKey): Promise<void>
}

const STORE = 'keys'

/** The keys in this browser's database. */
export const browserTestKeys: TestKeys = {
  list: async () => {
    // The store has only what `put` writes.
    return await run('readonly', (store) => store.getAll() as IDBRequest<TestKey[]>)
  },
  put: async (key) => {
    await run('readwrite', (store) => store.put(key))
  },
}

async function run<Result>(
  mode: IDBTransactionMode,
  ask: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const database = await opened()
  try {
    return await answered(ask(database.transaction(STORE, mode).objectStore(STORE)))
  } finally {
    database.close()
  }
}

function opened(): Promise<IDBDatabase> {
  const request = indexedDB.open('fairball-console', 1)
  request.addEventListener('upgradeneeded', () => request.result.createObjectStore(STORE, { keyPath: 'id' }))
  return answered(request)
}

function answered<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('The browser’s storage cannot be used.')))
  })
}
