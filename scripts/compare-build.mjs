// Prints the hash of the web's build, and compares the build with the files of a site. `build-hash.cjs` makes the build
// first.
import { createHash } from 'node:crypto'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { builtFiles, buildHash } from '../packages/server/src/http/build-hash.ts'

const BUILD = join(dirname(fileURLToPath(import.meta.url)), '../packages/web/dist')
/** Timeout of a site's answer, in ms; after it the file counts as missing. */
const ANSWER_MS = 30_000
const FILES_AT_ONCE = 8

/**
 * Compares a build with the files of a site.
 *
 * @param {{ files: readonly { path: string, sha256: string }[], address: string, ask: typeof fetch }} what
 * @returns {Promise<{ compared: number, different: string[], told: string | null }>} the number of compared files, the
 * differences, and the hash on the site's page about fairness
 * @throws Error if the site does not answer at all
 */
export async function compareWithSite({ files, address, ask }) {
  const site = new URL(address).origin
  const told = await hashOnPage(ask, site)
  // The renderer and the list of files stay on the server.
  const sent = files.filter(({ path }) => path.startsWith('client/') && !path.startsWith('client/.vite/'))
  /** @type {string[]} */
  const different = []
  const waiting = sent.values()
  const worker = async () => {
    for (const { path, sha256 } of waiting) {
      const name = path.slice('client'.length)
      const problem = await problemOf(ask, site + name, sha256)
      if (problem !== null) different.push(`${name}: ${problem}`)
    }
  }
  await Promise.all(Array.from({ length: FILES_AT_ONCE }, worker))
  return { compared: sent.length, different: different.toSorted(), told }
}

/**
 * @param {typeof fetch} ask
 * @param {string} address
 * @param {string} sha256
 */
async function problemOf(ask, address, sha256) {
  try {
    const answer = await ask(address, { signal: AbortSignal.timeout(ANSWER_MS), redirect: 'error' })
    if (!answer.ok) return `the site answers ${answer.status}`
    const content = Buffer.from(await answer.arrayBuffer())
    return createHash('sha256').update(content).digest('hex') === sha256 ? null : 'other content'
  } catch (error) {
    return `no answer (${error instanceof Error ? error.message : String(error)})`
  }
}

/**
 * @param {typeof fetch} ask
 * @param {string} site
 */
async function hashOnPage(ask, site) {
  const answer = await ask(`${site}/fairness`, { signal: AbortSignal.timeout(ANSWER_MS) })
  return /"build":\{"version":"[^"]*","hash":"([0-9a-f]{64})"\}/.exec(await answer.text())?.[1] ?? null
}

/** @param {readonly string[]} args */
async function run([address, ...more]) {
  if (more.length > 0 || (address !== undefined && !/^https?:\/\/[^/]/.test(address))) {
    process.stderr.write('Give the address of a site, like https://lottery.example, or nothing.\n')
    return 2
  }
  const files = await builtFiles(BUILD)
  const hash = buildHash(files)
  process.stdout.write(`${hash}\n`)
  if (address === undefined) return 0
  const comparison = await compareWithSite({ files, address, ask: fetch }).catch((error) => {
    process.stderr.write(`${address} does not answer: ${error instanceof Error ? error.message : String(error)}\n`)
    return null
  })
  if (comparison === null) return 1
  const { compared, different, told } = comparison
  for (const line of different) process.stdout.write(`DIFFERENT  ${line}\n`)
  process.stdout.write(
    `${compared - different.length} of ${compared} files are the same. ` +
      `The site's page about fairness shows ${told === hash ? 'this hash' : (told ?? 'no hash')}.\n`,
  )
  return different.length === 0 && told === hash ? 0 : 1
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await run(process.argv.slice(2))
