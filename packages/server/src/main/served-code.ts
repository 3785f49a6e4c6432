import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { AnswerOf } from '@fairball/contract/calls'
import { PROTOCOL_VERSION } from '@fairball/domain/protocol/numbers'
import { newestMigration } from '../db/migrate.ts'
import { buildHash, builtFiles } from '../http/build-hash.ts'
import type { ServedCode } from '../modules/fairness/service.ts'
import { VERSION } from './version.ts'

const ROOT = new URL('../../../../', import.meta.url)
const BUILD = fileURLToPath(new URL('packages/web/dist/', ROOT))
const CLIENT = 'client/'
/** Beside what is served: the build's own list of its files. */
const OWN_LIST = 'client/.vite/'
/** Programs for strangers: they are named first. */
const PROGRAMS = 'fairness/'
/** The path by which the statement names the hash over all files of the build, as shown on the page about fairness. */
const WHOLE = 'build'
/** A statement of code has up to 65,535 bytes; the rest is for its other lines. */
const MAX_BYTES = 65_000
const NOT_KNOWN = '0'.repeat(40)

/**
 * What this program serves, for the statement `code` (docs/fairness.md, section 10; decision 48): the hash of the whole
 * build, then each file that browsers get, as many as a statement can hold. Null if the web was not built: then nothing
 * is served from here.
 */
export async function servedCode(): Promise<ServedCode | null> {
  const built = await builtWeb()
  if (built === null) return null
  const served = built.flatMap(({ path, sha256: hash }) =>
    path.startsWith(CLIENT) && !path.startsWith(OWN_LIST) ? [{ hash, path: path.slice(CLIENT.length) }] : [],
  )
  const isProgram = ({ path }: { readonly path: string }): boolean => path.startsWith(PROGRAMS)
  const whole = { hash: buildHash(built), path: WHOLE }
  const file = fitting([whole, ...served.filter(isProgram), ...served.filter((one) => !isProgram(one))])
  return { version: VERSION, commit: await commitOf(ROOT), file }
}

/** What `GET /version` answers. @param isDevelopment the pages are served from their sources, so no build counts */
export async function versionOf(isDevelopment: boolean): Promise<AnswerOf<'getVersion'>> {
  const [built, commit, schema] = await Promise.all([
    isDevelopment ? null : builtWeb(),
    commitOf(ROOT),
    newestMigration(),
  ])
  return {
    name: 'fairball',
    version: VERSION,
    build: built === null ? null : buildHash(built),
    commit: commit === NOT_KNOWN ? null : commit,
    schema,
    protocol: PROTOCOL_VERSION,
  }
}

/** The files of the web's build; null if there is none. */
async function builtWeb(): Promise<Awaited<ReturnType<typeof builtFiles>> | null> {
  return await builtFiles(BUILD).catch((error: unknown) => {
    if ((error as { code?: unknown }).code === 'ENOENT') return null
    throw error
  })
}

/**
 * The commit of the sources: from the image, or what is checked out; 40 zeros if neither says.
 *
 * @param root folder of the repository, as a URL that ends with a slash
 */
export async function commitOf(root: URL): Promise<string> {
  const given = await textAt(new URL('commit', root))
  const head = given ?? (await textAt(new URL('.git/HEAD', root)))
  const branch = head === null ? undefined : /^ref: (refs\/[\w./-]+)$/u.exec(head)?.[1]
  if (branch === undefined) return hashIn(head)
  const loose = await textAt(new URL(`.git/${branch}`, root))
  if (loose !== null) return hashIn(loose)
  const packed = (await textAt(new URL('.git/packed-refs', root)))?.split('\n')
  return hashIn(packed?.find((line) => line.endsWith(` ${branch}`))?.split(' ')[0] ?? null)
}

function hashIn(text: string | null): string {
  return text !== null && /^[0-9a-f]{40}$/u.test(text) ? text : NOT_KNOWN
}

async function textAt(file: URL): Promise<string | null> {
  return (await readFile(file, 'utf8').catch(() => null))?.trim() ?? null
}

function fitting(files: ServedCode['file']): ServedCode['file'] {
  let bytes = 0
  return files.filter(({ path }) => {
    bytes += `file ${NOT_KNOWN}${NOT_KNOWN} ${path}\n`.length
    return bytes <= MAX_BYTES
  })
}
