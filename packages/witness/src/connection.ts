import type { GetFile } from '@fairball/domain/protocol/remote-log'
import type { Runtime } from './runtime.ts'

/** An operator gave no usable answer. The message is for people. */
export class ConnectionProblem extends Error {
  override readonly name = 'ConnectionProblem'
}

const TIMEOUT_MS = 20_000
const MAX_REDIRECTS = 3
const REDIRECTS = new Set([301, 302, 303, 307, 308])
/** Maximum length of a file, in bytes: 256 entries of the maximum length, and a margin. */
const MAX_FILE_BYTES = 17 * 1024 * 1024
/** Statuses for a missing file. */
const NONE = new Set([404, 410])

/**
 * Gets the files of an untrusted operator: every answer is limited in time and size, and comes from the same host. Null
 * for a missing file; throws ConnectionProblem for any other failure.
 *
 * @param prefix the address of the files, with a trailing slash
 */
export function filesAt(runtime: Pick<Runtime, 'fetch'>, prefix: string): GetFile {
  return async (path) => {
    let url = new URL(prefix + path)
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    for (let redirects = 0; ; redirects += 1) {
      const response = await request(runtime, url, signal)
      const next = redirectOf(response, url)
      if (next === null) return await fileOf(response)
      await response.body?.cancel()
      if (redirects === MAX_REDIRECTS) throw new ConnectionProblem('It redirects without end.')
      url = next
    }
  }
}

async function request(runtime: Pick<Runtime, 'fetch'>, url: URL, signal: AbortSignal): Promise<Response> {
  try {
    return await runtime.fetch(url, { headers: { 'user-agent': 'fairball-witness' }, redirect: 'manual', signal })
  } catch (error) {
    throw new ConnectionProblem(`No answer: ${reasonOf(error)}.`, { cause: error })
  }
}

async function fileOf(response: Response): Promise<Uint8Array | null> {
  if (response.status === 200) return await readBody(response)
  await response.body?.cancel()
  if (NONE.has(response.status)) return null
  throw new ConnectionProblem(`It answers with status ${response.status}.`)
}

/** The target of a redirect: the same host, perhaps with https for http. Null if the answer is not a redirect. */
function redirectOf(response: Response, from: URL): URL | null {
  const location = response.headers.get('location')
  if (!REDIRECTS.has(response.status) || location === null) return null
  if (!URL.canParse(location, from.href)) throw new ConnectionProblem('It redirects to no address.')
  const to = new URL(location, from.href)
  const isSafer = from.protocol === 'http:' && to.protocol === 'https:' && to.hostname === from.hostname
  if (to.origin === from.origin || isSafer) return to
  throw new ConnectionProblem(`It redirects to another host, ${to.host}.`)
}

async function readBody(response: Response): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let bytes = 0
  try {
    // The type does not say that the parts of a body are bytes (Fetch standard, "body").
    for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      bytes += part.length
      if (bytes > MAX_FILE_BYTES) {
        throw new ConnectionProblem(`It sends more than ${MAX_FILE_BYTES / 1024 / 1024} MiB.`) // closes the connection
      }
      parts.push(part)
    }
  } catch (error) {
    if (error instanceof ConnectionProblem) throw error
    throw new ConnectionProblem(`Its answer broke off: ${reasonOf(error)}.`, { cause: error })
  }
  return Buffer.concat(parts, bytes)
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'the connection failed'
  if (error.name === 'TimeoutError') return 'it took too long'
  const { cause } = error
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message
}
