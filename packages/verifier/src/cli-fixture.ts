import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { servedFiles, type ServedFiles } from '@fairball/domain/protocol/served-files-fixture'
import { bundleOf } from '@fairball/domain/protocol/vectors-fixture'
import { runCli } from './cli.ts'
import { thisComputer } from './runtime.ts'

/** Runs the command within a test, and serves an operator's files. */

/** The folder of the protocol's vectors. */
export const VECTORS = join(import.meta.dirname, '../../domain/vectors/fairness-v2')

/** A command's exit status and output. */
export interface Ran {
  readonly status: number | null
  readonly output: string
  readonly errors: string
}

/** Runs the command in this process, with this computer's files and network. */
export async function runHere(args: readonly string[]): Promise<Ran> {
  const [output, errors]: [string[], string[]] = [[], []]
  const status = await runCli(args, {
    ...thisComputer(),
    colours: false,
    write: (text) => void output.push(text),
    writeError: (text) => void errors.push(text),
  })
  return { status, output: output.join(''), errors: errors.join('') }
}

/** The files of the operator of a judged bundle whose list holds every statement of the log. */
export function filesOf(id: string): ServedFiles {
  const bundle = bundleOf(id)
  return servedFiles(
    bundle,
    bundle.statements.map(({ text }) => text),
  )
}

/** An operator that serves on loopback. */
export interface Served {
  readonly address: string
  /** requested paths */
  readonly asked: string[]
  readonly end: () => void
}

/** Serves files under `/fairball/`, and others under their own names. */
export async function serve(files: ServedFiles, others: Readonly<Record<string, string>> = {}): Promise<Served> {
  const asked: string[] = []
  const server = createServer(({ url = '' }, response) => {
    asked.push(url)
    const found = others[url] ?? files.get(url.replace(/^\/fairball\//, ''))
    response.writeHead(found === undefined ? 404 : 200).end(found)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { address: `http://127.0.0.1:${port}`, asked, end: () => void server.close() }
}
